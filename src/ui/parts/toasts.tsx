// Toasts at the edge of the page, with an optional Undo. Ctrl+Z undoes the newest. They close by themselves, but not
// while hovered or focused. Announcements for screen readers, and actions whose errors become toasts.

import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { Unreachable } from '../server/request.ts'
import { strings } from '../strings/strings.ts'

const said = signal('')

/** A repeated sentence is announced again. */
export function announce(sentence: string): void {
  said.value = ''
  // Cleared, rendered and then filled; otherwise the region has not changed and nothing is announced.
  requestAnimationFrame(() => requestAnimationFrame(() => (said.value = sentence)))
}

export const Announcer = () => (
  <p class="unseen" role="status" aria-live="polite">
    {said}
  </p>
)

export function textOfError(error: unknown): string {
  if (error instanceof Unreachable) return strings.value.shell.offline
  return error instanceof Error ? error.message : String(error)
}

type ToastAction = { label: string; act: () => void }

type Toast = {
  key: number
  text: string
  undo: (() => void | Promise<void>) | null
  /** another action, besides Undo */
  action?: ToastAction | null
  isFault: boolean
}

const LASTS_MS = 8000
const toasts = signal<readonly Toast[]>([])
let last = 0

export function note(text: string, { isFault = false } = {}): void {
  add({ text, undo: null, isFault })
}

/** Reports an action and offers to undo it. */
export function offerUndo(
  text: string,
  undo: () => void | Promise<void>,
  action: ToastAction | null = null,
): void {
  add({ text, undo, action, isFault: false })
}

/** Reports a failure in the words of the server or the browser. */
export const noteFault = (error: unknown): void => note(textOfError(error), { isFault: true })

function add(toast: Omit<Toast, 'key'>): void {
  last += 1
  toasts.value = [...toasts.value.slice(-3), { key: last, ...toast }]
  announce(toast.text)
}

const remove = (key: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.key !== key)
}

async function takeBack({ key, undo }: Toast): Promise<void> {
  remove(key)
  try {
    await undo?.()
    announce(strings.value.shell.undone)
  } catch (error) {
    noteFault(error)
  }
}

/** @returns whether there was anything to undo */
export function undoLast(): boolean {
  const newest = toasts.value.findLast(({ undo }) => undo !== null)
  if (newest) void takeBack(newest)
  return newest !== undefined
}

const OneToast = ({ toast }: { toast: Toast }) => {
  const [isHeld, hold] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => remove(toast.key), LASTS_MS)
    return () => clearTimeout(timer)
  }, [isHeld, toast.key])
  const { shell } = strings.value
  return (
    <li
      class={toast.isFault ? 'toast fault' : 'toast'}
      onMouseEnter={() => hold(true)}
      onMouseLeave={() => hold(false)}
      onFocusIn={() => hold(true)}
      onFocusOut={() => hold(false)}
    >
      <span>{toast.text}</span>
      {toast.action && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            remove(toast.key)
            toast.action?.act()
          }}
        >
          {toast.action.label}
        </button>
      )}
      {toast.undo && (
        <button type="button" class="plain" onClick={() => void takeBack(toast)}>
          {shell.undo}
        </button>
      )}
      <button type="button" class="plain icon" aria-label={shell.dismiss} onClick={() => remove(toast.key)}>
        ×
      </button>
    </li>
  )
}

export const Toasts = () => (
  <section class="toasts" aria-label={strings.value.shell.messages}>
    <ul class="plainlist stack">
      {toasts.value.map((toast) => (
        <OneToast key={toast.key} toast={toast} />
      ))}
    </ul>
  </section>
)

/** @returns whether it succeeded */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    noteFault(error)
    return false
  }
}
