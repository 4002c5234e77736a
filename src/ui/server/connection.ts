// Server events for every view of every tab, and reconnection. Browsers open six connections to a host for all tabs
// together, so one tab holds the event stream and broadcasts it to the others.

import { signal } from '@preact/signals'
import { isReachable, serverIsBack } from './request.ts'
import { hasSession, isSignedIn, isTokenWanted } from './session.ts'
import { ticketed } from './ticket.ts'

export type ServerEvent =
  | {
      name: 'capture.created' | 'capture.updated' | 'capture.deleted'
      capture_id: string
      status: string | null
    }
  | { name: 'job.progress'; job_id: string; capture_id: string; state: string; progress: number }
  | { name: 'model.progress'; model_name: string; status: string; current: number; total: number | null }
  /** events may have been missed: reload */
  | { name: 'reset' }

const NAMES = [
  'capture.created',
  'capture.updated',
  'capture.deleted',
  'job.progress',
  'model.progress',
  'reset',
]
const listeners = new Set<(event: ServerEvent) => void>()

/** @returns a function that removes the listener */
export function onServerEvent(listener: (event: ServerEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const emit = (event: ServerEvent): void => {
  for (const listener of listeners) listener(event)
}

/** Whole seconds until the next retry; null while the server responds. */
export const retryInSeconds = signal<number | null>(null)

const CHANNEL = 'dictation-events'
const PATH = '/events'
/** Backoff, so that a server that is off for the night is not polled every second. */
const RETRY_SECONDS = [2, 3, 5, 10, 20, 30]

let tries = 0
let timer: ReturnType<typeof setInterval> | undefined

/** Call once. */
export function followServer(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<ServerEvent>) => emit(data))
  // The lock is held until the tab closes; then the next tab gets it. Locks need a secure context: without one, each
  // tab has its own stream and need not broadcast.
  if (!isSecureContext) holdStream(null)
  else
    navigator.locks
      .request(CHANNEL, () => new Promise<never>(() => holdStream(channel)))
      // Rejected if site data is blocked.
      .catch(() => holdStream(null))
  isReachable.subscribe((reachable) => (reachable ? endRetrying() : retryLater()))
}

function holdStream(channel: BroadcastChannel | null): void {
  const open = (address: string) => {
    const source = new EventSource(address)
    for (const name of NAMES) {
      source.addEventListener(name, ({ data }) => {
        const event = { name, ...JSON.parse(data) } as ServerEvent
        emit(event)
        channel?.postMessage(event)
      })
    }
    source.addEventListener('error', () => {
      isReachable.value = false
      if (source.readyState !== EventSource.CLOSED) return
      source.close()
      void openWithTicket()
    })
  }
  const openWithTicket = async () => {
    for (;;) {
      await serverIsBack()
      await isSignedIn()
      const address = await ticketed(PATH).catch(() => null)
      if (address !== null) return open(address)
      // Reconnects when the server responds again or the user has signed in.
      if (!isTokenWanted.value) isReachable.value = false
    }
  }
  if (hasSession()) void openWithTicket()
  else open(PATH)
}

function endRetrying(): void {
  if (timer === undefined) return
  clearInterval(timer)
  timer = undefined
  tries = 0
  retryInSeconds.value = null
  emit({ name: 'reset' })
}

function retryLater(): void {
  if (timer !== undefined) return
  retryInSeconds.value = RETRY_SECONDS[Math.min(tries, RETRY_SECONDS.length - 1)]!
  tries += 1
  timer = setInterval(() => {
    const left = (retryInSeconds.value ?? 1) - 1
    if (left > 0) retryInSeconds.value = left
    else void retryNow()
  }, 1000)
}

export async function retryNow(): Promise<void> {
  const response = await fetch('/health', { cache: 'no-store' }).catch(() => null)
  if (response) {
    isReachable.value = true
    return
  }
  clearInterval(timer)
  timer = undefined
  retryLater()
}
