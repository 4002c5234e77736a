// A server, and a browser whose microphone plays recordings.

import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { type MicrophoneClip, microphoneClip } from './microphone.ts'
import { type RunningServer, startServer } from './server.ts'

export type MicrophoneBrowser = AsyncDisposable & {
  server: RunningServer
  browser: Browser
  clip: MicrophoneClip
}

/** A short sentence and a pause: the page and the engine work for as long as someone speaks. */
export const SENTENCE_AND_PAUSE = ['short-03.flac', 3] as const

/**
 * @param parts as in microphoneClip
 * @param loop again and again; otherwise once, followed by silence
 * @param env settings of the server
 */
export async function openMicrophoneBrowser(
  parts: Parameters<typeof microphoneClip>[0],
  { loop = true, env = {} }: { loop?: boolean; env?: Record<string, string> } = {},
): Promise<MicrophoneBrowser> {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await startServer({ env }))
  const clip = opening.use(await microphoneClip(parts))
  const browser = await openBrowser({ microphone: { ...clip, loop } })
  opening.defer(() => browser.close())
  const opened = opening.move()
  return { server, browser, clip, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** For a test that expects a server without captures. */
export async function removeAllCaptures({ url }: RunningServer): Promise<void> {
  for (const trashed of [false, true]) {
    const { items } = await (await fetch(`${url}/captures?limit=100&trashed=${trashed}`)).json()
    for (const { id } of items) {
      const { ok, status } = await fetch(`${url}/captures/${id}`, { method: 'DELETE' })
      if (!ok) throw new Error(`DELETE /captures/${id} answered ${status}`)
    }
  }
}
