// What happens in the server, told to every view of every tab, and whether the server can be reached.
// One tab alone holds the stream of events and passes it on: browsers open six connections to a host, for all tabs together.

import { signal } from '@preact/signals'
import { isReachable, serverIsBack } from './reachable.ts'
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
  /** something may have been missed: look anew */
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

/** @returns what ends it */
export function onServerEvent(listener: (event: ServerEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const tell = (event: ServerEvent): void => {
  for (const listener of listeners) listener(event)
}

/** Whole seconds until the server is asked again; null while it answers. */
export const retryInSeconds = signal<number | null>(null)

const CHANNEL = 'dictation-events'
const PATH = '/events'
/** Grows with each try in vain, so that a server that is off for the night is not asked each second. */
const RETRY_SECONDS = [2, 3, 5, 10, 20, 30]

let tries = 0
let timer: ReturnType<typeof setInterval> | undefined

/** To be called once, by the page. */
export function followServer(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<ServerEvent>) => tell(data))
  // Held until the tab is closed; then the next in line gets it. At an address that is not secure there are no locks, and
  // each tab has a stream of its own, whose events it need not pass on.
  if (!isSecureContext) holdStream(null)
  else
    navigator.locks
      .request(CHANNEL, () => new Promise<never>(() => holdStream(channel)))
      // Where site data is blocked.
      .catch(() => holdStream(null))
  isReachable.subscribe((reachable) => (reachable ? endRetrying() : retryLater()))
}

function holdStream(channel: BroadcastChannel | null): void {
  const open = (address: string) => {
    const source = new EventSource(address)
    for (const name of NAMES) {
      source.addEventListener(name, ({ data }) => {
        const event = { name, ...JSON.parse(data) } as ServerEvent
        tell(event)
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
      // Asked again when the server has answered, or when a person has signed in.
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
  tell({ name: 'reset' })
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
