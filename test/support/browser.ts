// A real Chromium that can resolve no name but those a test allows: the machine's own, found on the PATH.
// Knows nothing of the server.

import { type Browser, chromium } from 'playwright-core'

const executablePath =
  process.env.CHROMIUM ??
  ['chromium', 'chromium-browser', 'google-chrome']
    .map((name) => Bun.which(name))
    .find((path) => path !== null)

if (!executablePath) console.warn('no Chromium on the PATH: the browser tests are skipped')

export const hasBrowser = Boolean(executablePath)

export type BrowserOptions = {
  /** names that lead to 127.0.0.1, as an attacker's own name server would answer */
  loopbackNames?: string[]
  /**
   * what the microphone gives: a WAV file, from its beginning when a page opens it, and silence behind it; `loop`: again
   * and again. Without it there is no microphone.
   */
  microphone?: {
    file: string
    loop?: boolean /** whether a person allows it; by default yes */
    isAllowed?: boolean
  }
}

/** Newer browsers ask a person first; the server must not depend on it. */
const ASKING = ['LocalNetworkAccessChecks', 'BlockInsecurePrivateNetworkRequests']
/** Pages of the browser's own window, each in a process of its own, that nobody sees here: half of all that it computes. */
const UNSEEN = ['PreloadTopChromeWebUI', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

export const openBrowser = (options: BrowserOptions = {}): Promise<Browser> =>
  chromium.launch(browserLaunch(options))

/** Also for a browser with a profile of its own. */
export function browserLaunch({ loopbackNames = [], microphone }: BrowserOptions = {}) {
  const rules = [...loopbackNames.map((name) => `MAP ${name} 127.0.0.1`), 'MAP * ~NOTFOUND']
  return {
    executablePath: executablePath!,
    args: [
      // As root, in a container, Chromium's own sandbox cannot be had.
      '--no-sandbox',
      `--disable-features=${[...ASKING, ...UNSEEN]}`,
      ...(microphone ? microphoneFlags(microphone) : []),
      `--host-resolver-rules=${[...rules, 'EXCLUDE 127.0.0.1', 'EXCLUDE localhost'].join(', ')}`,
    ],
  }
}

const microphoneFlags = ({
  file,
  loop = false,
  isAllowed = true,
}: NonNullable<BrowserOptions['microphone']>) => [
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${file}${loop ? '' : '%noloop'}`,
  ...(isAllowed ? ['--use-fake-ui-for-media-stream'] : []),
]
