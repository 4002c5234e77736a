// A server, and a browser that hears recordings by its microphone: what tests of recording share.
// The clip is microphone.ts's, the browser browser.ts's.

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
 * @param parts as microphoneClip has them
 * @param loop again and again, or once, and silence behind it
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
