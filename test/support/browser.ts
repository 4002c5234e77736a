// The Chromium on the PATH, with DNS limited to the names that a test allows.

import { type Browser, chromium } from 'playwright-core'

const executablePath =
  process.env.CHROMIUM ??
  ['chromium', 'chromium-browser', 'google-chrome']
    .map((name) => Bun.which(name))
    .find((path) => path !== null)

if (!executablePath) console.warn('no Chromium on the PATH: the browser tests are skipped')

export const hasBrowser = Boolean(executablePath)

export type BrowserOptions = {
  /** names that resolve to 127.0.0.1, as an attacker's own DNS server would answer */
  loopbackNames?: string[]
  /**
   * what the microphone delivers: a WAV file, from its beginning when a page opens it, then silence; `loop`: again and
   * again. Without it there is no microphone.
   */
  microphone?: {
    file: string
    loop?: boolean /** whether a person allows it; by default yes */
    isAllowed?: boolean
  }
}

/** Newer browsers prompt the user first; the server must not depend on that. */
const ASKING = ['LocalNetworkAccessChecks', 'BlockInsecurePrivateNetworkRequests']
/**
 * Invisible pages of the browser's own window, each in its own process: together half of the CPU time. And a process in
 * reserve for the next page, which a new context never uses.
 */
const UNSEEN = [
  ...['PreloadTopChromeWebUI', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  'SpareRendererForSitePerProcess',
]

export const openBrowser = (options: BrowserOptions = {}): Promise<Browser> =>
  chromium.launch(browserLaunch(options))

/** Also for a browser with its own profile. */
export function browserLaunch({ loopbackNames = [], microphone }: BrowserOptions = {}) {
  const rules = [...loopbackNames.map((name) => `MAP ${name} 127.0.0.1`), 'MAP * ~NOTFOUND']
  return {
    executablePath: executablePath!,
    args: [
      // Chromium's sandbox is unavailable to root in a container.
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
