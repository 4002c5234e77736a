// Which desktop this is, and its small programs.

import type { Environment } from '../../config.ts'

export type Desktop = 'x11' | 'sway' | 'hyprland' | 'wayland' | 'macos' | 'windows'

export function desktopOf(env: Environment, platform: NodeJS.Platform): Desktop {
  if (platform === 'darwin') return 'macos'
  if (platform === 'win32') return 'windows'
  const isWayland = env.XDG_SESSION_TYPE === 'wayland' || (env.WAYLAND_DISPLAY && !env.DISPLAY)
  if (!isWayland) return 'x11'
  if (env.SWAYSOCK) return 'sway'
  return env.HYPRLAND_INSTANCE_SIGNATURE ? 'hyprland' : 'wayland'
}

/** A sentence that says why there is no desktop; null if there is one. The key listener would abort without it. */
export function desktopFault(env: Environment, desktop: Desktop): string | null {
  if (desktop !== 'x11' || env.DISPLAY) return null
  return 'There is no desktop here: DISPLAY is not set. Start the command in a terminal of the desktop.'
}

/** For programs that wait for a window which does not respond. */
const TIMEOUT_MS = 3000

/** Null if the program is missing or fails. */
export async function outputOf(command: string[], input?: string): Promise<string | null> {
  const output = await bytesOf(command, input)
  return output === null ? null : new TextDecoder().decode(output)
}

export async function bytesOf(command: string[], input?: string | Uint8Array): Promise<Uint8Array | null> {
  const [program, ...rest] = command
  const path = Bun.which(program!)
  if (path === null) return null
  const child = Bun.spawn([path, ...rest], {
    stdin: input === undefined ? 'ignore' : new Blob([input as never]),
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: TIMEOUT_MS,
  })
  const output = await new Response(child.stdout).bytes()
  return (await child.exited) === 0 ? output : null
}

/** Whether it succeeds. For programs that leave a process behind, such as xclip: their output is not read. */
export async function run(command: string[], input?: string | Uint8Array): Promise<boolean> {
  const [program, ...rest] = command
  const path = Bun.which(program!)
  if (path === null) return false
  const child = Bun.spawn([path, ...rest], {
    stdin: input === undefined ? 'ignore' : new Blob([input as never]),
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: TIMEOUT_MS,
  })
  return (await child.exited) === 0
}
