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

/**
 * @param parts as in microphoneClip
 * @param loop again and again; otherwise once, followed by silence
 */
export async function openMicrophoneBrowser(
  parts: Parameters<typeof microphoneClip>[0],
  { loop = true } = {},
): Promise<MicrophoneBrowser> {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await startServer())
  const clip = opening.use(await microphoneClip(parts))
  const browser = await openBrowser({ microphone: { ...clip, loop } })
  opening.defer(() => browser.close())
  const opened = opening.move()
  return { server, browser, clip, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
