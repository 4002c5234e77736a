// The window that has the focus: its application and title select the writing style, and its id tells whether the focus
// has moved before the text is inserted.

import { categoryOf } from '../../text/app-categories.ts'
import { type Desktop, outputOf } from './desktop.ts'

export type FocusedWindow = {
  /** as the system identifies it; only compared */
  id: string
  appName: string | null
  appId: string | null
  title: string | null
}

/** Null if the desktop reports no window: then the default writing style applies and the text is inserted anyway. */
export async function focusedWindow(desktop: Desktop): Promise<FocusedWindow | null> {
  switch (desktop) {
    case 'x11':
      return x11Window()
    case 'sway':
      return swayWindow(await outputOf(['swaymsg', '-t', 'get_tree']))
    case 'hyprland':
      return hyprlandWindow(await outputOf(['hyprctl', 'activewindow', '-j']))
    case 'macos':
      return listedWindow(await outputOf(['osascript', '-e', MAC_SCRIPT]))
    case 'windows':
      return listedWindow(
        await outputOf(['powershell', '-NoProfile', '-NonInteractive', '-Command', WINDOWS_SCRIPT]),
      )
    case 'wayland':
      return null
  }
}

/** False if the desktop does not report windows. */
export async function hasLostFocus(desktop: Desktop, window: FocusedWindow): Promise<boolean> {
  // Saves waiting for one more program.
  const id = desktop === 'x11' ? await x11ActiveWindow() : (await focusedWindow(desktop))?.id
  return id !== undefined && id !== null && id !== window.id
}

/** Null if there is none. */
async function x11ActiveWindow(): Promise<string | null> {
  const active = await outputOf(['xprop', '-root', '_NET_ACTIVE_WINDOW'])
  const [id] = /0x[\da-f]+/.exec(active ?? '') ?? []
  return id === undefined || Number(id) === 0 ? null : id
}

async function x11Window(): Promise<FocusedWindow | null> {
  const id = await x11ActiveWindow()
  if (id === null) return null
  const properties = await outputOf(['xprop', '-id', id, 'WM_CLASS', '_NET_WM_NAME', 'WM_NAME'])
  return properties === null ? { id, appName: null, appId: null, title: null } : x11Properties(id, properties)
}

/** @param properties as xprop prints them */
export function x11Properties(id: string, properties: string): FocusedWindow {
  const quoted = (name: string): string[] => {
    const [, value = ''] = new RegExp(`^${name}\\([^)]*\\) = (.*)$`, 'm').exec(properties) ?? []
    return [...value.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!.replace(/\\(.)/g, '$1'))
  }
  const [instance, className] = quoted('WM_CLASS')
  const [title] = [...quoted('_NET_WM_NAME'), ...quoted('WM_NAME')]
  return { id, appName: className ?? null, appId: instance ?? null, title: title ?? null }
}

type SwayNode = {
  id: number
  focused: boolean
  name: string | null
  app_id?: string | null
  window_properties?: { class?: string }
  nodes?: SwayNode[]
  floating_nodes?: SwayNode[]
}

export function swayWindow(tree: string | null): FocusedWindow | null {
  const find = (node: SwayNode): SwayNode | undefined =>
    node.focused ? node : [...(node.nodes ?? []), ...(node.floating_nodes ?? [])].map(find).find(Boolean)
  const found = tree === null ? undefined : find(JSON.parse(tree))
  if (found === undefined) return null
  const app = found.app_id ?? found.window_properties?.class ?? null
  return { id: String(found.id), appName: app, appId: app, title: found.name }
}

export function hyprlandWindow(window: string | null): FocusedWindow | null {
  const { address, class: app, title } = window === null ? {} : JSON.parse(window)
  return address === undefined ? null : { id: address, appName: app, appId: app, title }
}

/** Lines: id, application, its identifier, title. */
function listedWindow(text: string | null): FocusedWindow | null {
  const [id, appName, appId, title] = (text ?? '').split(/\r?\n/)
  return id ? { id, appName: appName || null, appId: appId || null, title: title || null } : null
}

const MAC_SCRIPT = `tell application "System Events"
  set front to first application process whose frontmost is true
  set windowTitle to ""
  try
    set windowTitle to name of front window of front
  end try
  return (unix id of front as text) & linefeed & (name of front) & linefeed & (bundle identifier of front) & linefeed & windowTitle
end tell`

const WINDOWS_SCRIPT = `[Console]::OutputEncoding = [Text.Encoding]::UTF8
Add-Type -Namespace W -Name U -MemberDefinition '[DllImport("user32.dll")] public static extern IntPtr GetForegroundWindow(); [DllImport("user32.dll")] public static extern uint GetWindowThreadProcessId(IntPtr h, out uint p);'
$h = [W.U]::GetForegroundWindow(); $p = 0; [void][W.U]::GetWindowThreadProcessId($h, [ref]$p)
$process = Get-Process -Id $p
$h; $process.Description; $process.ProcessName; $process.MainWindowTitle`

/** Terminals run a line at its line break, paste with other keys, and interrupt on Ctrl+C. */
export const isTerminal = (window: FocusedWindow | null): boolean =>
  window !== null && categoryOf(window) === 'terminal'
