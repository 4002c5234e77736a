// The page of a running server in a real Chromium that records faults: console output, failed loads, requests to other
// hosts.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export type WatchedPage = {
  page: Page
  /** what must never happen: console errors, exceptions, failed loads or loads from other hosts */
  faults: string[]
  close(): Promise<void>
}

type Opening = {
  /** the view, as in the address after `#` */
  path?: string
  /** faults that the test provokes */
  allowed?: RegExp[]
  /** runs before the page's scripts, for instance to imitate another browser */
  script?: string
}

export async function openPage(
  browser: Browser,
  url: string,
  { path, allowed, script, ...options }: Opening & BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-US', ...options })
  const watched = await watchPage(await context.newPage(), url, { path, allowed, script })
  return { ...watched, close: () => context.close() }
}

/** Opens the address in an existing page. */
export async function watchPage(
  page: Page,
  url: string,
  { path = '/', allowed = [], script = '' }: { [Key in keyof Opening]: Opening[Key] | undefined } = {},
): Promise<Omit<WatchedPage, 'close'>> {
  if (script !== '') await page.addInitScript(script)
  const faults: string[] = []
  const fault = (text: string) => allowed.some((pattern) => pattern.test(text)) || faults.push(text)
  page.on('console', (message) => message.type() === 'error' && fault(message.text()))
  page.on('pageerror', (error) => fault(error.message))
  page.on('request', (request) => {
    const requestUrl = request.url()
    const isOwn = requestUrl.startsWith(`${url}/`) || requestUrl.startsWith(`${url.replace(/^http/, 'ws')}/`)
    if (!isOwn && !/^(data|blob):/.test(requestUrl)) fault(`requested ${requestUrl}`)
  })
  await page.goto(`${url}/#${path}`)
  await page.waitForSelector('h1')
  return { page, faults }
}

const require = createRequire(import.meta.url)
let axeSource: Promise<string> | undefined

type Finding = { id: string; nodes: { html: string }[] }

const RULES = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  colours: ['color-contrast', 'link-in-text-block'],
}

/** axe's violations of WCAG 2.2 AA and its best practices, as readable lines. */
export async function accessibilityFaults(
  page: Page,
  { rules = 'all' }: { rules?: keyof typeof RULES } = {},
): Promise<string[]> {
  axeSource ??= readFile(require.resolve('axe-core/axe.min.js'), 'utf8')
  // By `evaluate`, because the page's Content-Security-Policy refuses a script tag.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(await axeSource)
  const found = (await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(RULES[rules])}, resultTypes: ['violations'] }).then((r) => r.violations)`,
  )) as Finding[]
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
