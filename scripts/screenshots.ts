// Takes pictures of every view, light and dark, narrow and wide, for review. Uses a real server with its own archive of
// test recordings, and can update the two pictures of the README.

import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../test/support/browser.ts'
import { type RunningServer, startServer } from '../test/support/server.ts'
import { formWith, speechFolder } from '../test/support/speech.ts'
import { optionsOrExit } from './options.ts'

const root = resolve(import.meta.dir, '..')
const FOLDER = join(root, 'screenshots')
const WIDTHS = [320, 768, 1280]
const SCHEMES = ['light', 'dark'] as const
const HEIGHT = 860
/** Lists, waveforms and charts appear after the heading. */
const DRAWN_MS = 1000

/** The README's pictures, and the names of their files without the scheme. */
const SHOWN = [
  { view: 'capture', width: 1280, file: 'page' },
  { view: 'captures', width: 1280, file: 'page-captures' },
  { view: 'record', width: 320, file: 'page-narrow' },
]

const values = optionsOrExit(
  { readme: { type: 'boolean' }, only: { type: 'string' } },
  `usage: node scripts/bun.mjs scripts/screenshots.ts [--only VIEW] [--readme]
Saves pictures of every view of the page in ${FOLDER}, which git ignores.
--only limits it to one view, such as captures; --readme also updates the pictures of the README in docs/.
Needs Chromium on the PATH.`,
)

const RECORDINGS = ['human-2.flac', 'human-1.flac', 'paragraph-1.flac', 'human-3.flac', 'long-3-minutes.flac']
const APPS = ['Notes', 'Mail', 'Slack', 'Notes', 'Obsidian']

/** @returns the id of the capture to show */
async function fill({ url }: RunningServer): Promise<string> {
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  }
  await post('/dictionary', { type: 'replacement', word: 'john dashwood', replacement: 'John Dashwood' })
  await post('/dictionary', { type: 'term', word: 'Kubernetes', aliases: ['cooper netties'] })
  await post('/dictionary', { type: 'snippet', word: 'my signature', replacement: 'Kind regards,\nAda' })
  const ids: string[] = []
  for (const [at, file] of RECORDINGS.entries()) {
    const body = await formWith(join(speechFolder, file), { source: 'dictation', app_name: APPS[at]! })
    const capture = (await (await fetch(`${url}/captures`, { method: 'POST', body })).json()) as {
      id: string
    }
    ids.push(capture.id)
  }
  const patch = (id: string, body: unknown) =>
    fetch(`${url}/captures/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await patch(ids[1]!, { starred: true, tags: ['talk'] })
  await patch(ids[2]!, { tags: ['novel'] })
  return ids[2]!
}

type View = { name: string; address: string }

/** The views of the navigation, and those that only links lead to. */
async function viewsOf(page: Page, capture: string): Promise<View[]> {
  const addresses = (await page.evaluate(
    "[...document.querySelectorAll('nav a[href^=\"#/\"]')].map((link) => link.getAttribute('href'))",
  )) as string[]
  const named = addresses.map((address) => ({ name: address.slice(2) || 'record', address }))
  return [...named, { name: 'capture', address: `#/captures/${capture}` }]
}

async function shoot(context: BrowserContext, url: string, view: View, path: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${url}/${view.address}`)
  await page.waitForSelector('h1')
  // The event stream never lets the network become idle.
  await page.waitForTimeout(DRAWN_MS)
  // The README shows what a window shows; of the other views, all is shown.
  await page.screenshot({ path, fullPage: SHOWN.every((one) => one.view !== view.name) })
  await page.close()
}

async function shootAll(browser: Browser, { url }: RunningServer, capture: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    for (const width of WIDTHS) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: HEIGHT },
        locale: 'en-US',
      })
      const first = await context.newPage()
      await first.goto(url)
      await first.waitForSelector('nav a')
      const views = (await viewsOf(first, capture)).filter(({ name }) => !values.only || name === values.only)
      await first.close()
      for (const view of views) {
        const path = join(FOLDER, `${view.name}-${width}-${colorScheme}.png`)
        await shoot(context, url, view, path)
        console.log(path)
        const shown = SHOWN.find((one) => one.view === view.name && one.width === width)
        if (values.readme && shown)
          await copyFile(path, join(root, 'docs', `${shown.file}-${colorScheme}.png`))
      }
      await context.close()
    }
  }
}

if (!hasBrowser) {
  console.error('Chromium was not found. Install it (apt-get install chromium) or set CHROMIUM to its path.')
  process.exit(1)
}
await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
await using server = await startServer()
await using closing = new AsyncDisposableStack()
const browser = await openBrowser()
closing.defer(() => browser.close())
await shootAll(browser, server, await fill(server))
