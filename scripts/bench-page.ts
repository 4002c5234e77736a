// Measures loads and frame rates of the page in Chromium. Reports only; no limits.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../test/support/browser.ts'
import { startServer } from '../test/support/server.ts'
import { writeFigures } from './bench/figures.ts'
import { fillList, LONG_HOURS, LONG_WORDS, makeLong } from './bench/page-archives.ts'
import { playFrames } from './bench/page-frames.ts'
import { loadedBytes, loadMs, type PageLoad, searchMs } from './bench/page-loads.ts'
import { lineOf, median, milliseconds, percentile, type Row, ratio } from './bench/table.ts'
import { optionsOrExit } from './options.ts'

const usage = `usage: npm run bench -- page [--short] [--rounds N] [--captures N] [--folder PATH]
Measures the page's load time, lists and searches of ten and of 100,000 captures, and the frame rate while a capture of three
hours plays, and rewrites its section of BENCHMARKS.md. Takes ten minutes, most of them to create the captures.
Requires Chromium on the PATH.
--short uses 2,000 captures, three rounds and five seconds of playback, and only prints.
--folder stores the captures in PATH and reuses them in later runs.`

const values = optionsOrExit(
  {
    short: { type: 'boolean' },
    rounds: { type: 'string' },
    captures: { type: 'string' },
    folder: { type: 'string' },
  },
  usage,
)
const isShort = values.short === true
const rounds = Number(values.rounds ?? (isShort ? 3 : 20))
const many = Number(values.captures ?? (isShort ? 2000 : 100_000))
const FEW = 10
const playMs = isShort ? 5000 : 20_000
/** At 60 frames a second, a frame takes 16.7 ms. */
const LATE_MS = 20
if (!(rounds >= 1) || !(many > FEW)) {
  console.error(usage)
  process.exit(2)
}
if (!hasBrowser) {
  console.error('bench:page was skipped: Chromium was not found on the PATH.')
  process.exit(0)
}

const FIRST: PageLoad = { path: '/', selector: '[data-record]:not(:disabled)' }
const DOCS: PageLoad = { path: '/docs', selector: '.opblock' }
const LIST: PageLoad = { path: '/#/captures', selector: '.capturerow' }

/** Prefixes of words, common and rare, as in a search while typing. */
const TYPED = [
  're',
  'rep',
  'report',
  'off',
  'office',
  'quarterly',
  'meet',
  'meeting bud',
  'con',
  'the',
  '会议',
  'istan',
]

const times = (ms: number[]): string =>
  `${milliseconds(median(ms))} (p95 ${milliseconds(percentile(ms, 0.95))})`
const counted = (count: number): string => count.toLocaleString('en')

type TimedLoad = { url: string; load: PageLoad }

/** Two that are compared take turns, so that a slow moment of the machine affects both; the first round warms up. */
async function inTurn(
  browser: Browser,
  both: readonly [TimedLoad, TimedLoad],
): Promise<[number[], number[]]> {
  const ms: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round++)
    for (const [index, { url, load }] of both.entries()) {
      const took = await loadMs(browser, url, load)
      if (round > 0) ms[index]!.push(took)
    }
  return ms
}

async function measureLoads(browser: Browser, folders: { few: string; many: string }): Promise<Row[]> {
  await using few = await startServer({ dataFolder: folders.few })
  await using full = await startServer({ dataFolder: folders.many, readyWithinMs: 300_000 })
  const [first, docs] = await inTurn(browser, [
    { url: few.url, load: FIRST },
    { url: few.url, load: DOCS },
  ])
  const [ten, hundred] = await inTurn(browser, [
    { url: few.url, load: LIST },
    { url: full.url, load: LIST },
  ])
  const searches = await searchMs(browser, full.url, [...TYPED, ...TYPED])
  const bytes = await loadedBytes(browser, few.url, FIRST)
  return [
    { what: 'first load of `/` until it is usable', value: times(first), goal: '≤ 500 ms' },
    {
      what: 'bytes of the first view, compressed',
      value: `${Math.round(bytes / 1024)} KB`,
      goal: '≤ 150 KB',
    },
    { what: 'first load of `/docs` until it is drawn', value: times(docs) },
    { what: `list of ${FEW} captures until its first rows`, value: times(ten) },
    { what: `list of ${counted(many)} captures until its first rows`, value: times(hundred) },
    {
      what: `list of ${counted(many)} ÷ list of ${FEW} captures`,
      value: ratio(median(hundred), median(ten)),
      goal: '≤ 1.1',
    },
    {
      what: `search while typing among ${counted(many)} captures, until the first hits`,
      value: times(searches.slice(TYPED.length)),
      note: 'includes the 180 ms that the page waits for another key',
    },
  ]
}

async function measurePlaying(browser: Browser): Promise<Row[]> {
  const { folder, id } = await makeLong()
  await using _folder = folder
  await using server = await startServer({ dataFolder: folder.dataFolder })
  const address = `${server.url}/#/captures/${id}`
  const opened: number[] = []
  const load = { path: `/#/captures/${id}`, selector: '.transcript .segment' }
  for (let round = 0; round <= Math.min(rounds, 5); round++) {
    const took = await loadMs(browser, server.url, load)
    if (round > 0) opened.push(took)
  }
  const { intervalsMs, mainThreadMs, browserMs, words } = await playFrames(browser, address, {
    fromSecond: 5400,
    playMs,
  })
  const perSecond = 1000 / (intervalsMs.reduce((sum, ms) => sum + ms, 0) / intervalsMs.length)
  const late = intervalsMs.filter((ms) => ms > LATE_MS).length / intervalsMs.length
  return [
    {
      what: `opening a capture of ${LONG_HOURS} hours and ${counted(LONG_WORDS)} words until its text`,
      value: times(opened),
    },
    {
      what: 'frames per second during playback',
      value: perSecond.toFixed(1),
      goal: '≥ 59.9',
      note: `${words} words were highlighted`,
    },
    {
      what: 'from one frame to the next',
      value: times(intervalsMs),
      note: `${(late * 100).toFixed(1)} % later than ${LATE_MS} ms`,
    },
    {
      what: 'CPU time of the main thread per frame',
      value: milliseconds(mainThreadMs),
      note: `${milliseconds(browserMs)} in all processes of the browser`,
    },
  ]
}

const folder = await mkdtemp(join(tmpdir(), 'dictation-page-bench-'))
try {
  const folders = { few: join(folder, 'few'), many: values.folder ?? join(folder, 'many') }
  console.error('creating captures …')
  await fillList(folders.few, FEW)
  await fillList(folders.many, many)
  const browser = await openBrowser()
  try {
    console.error('loads …')
    const loads = await measureLoads(browser, folders)
    console.error('frames …')
    const rows = [...loads, ...(await measurePlaying(browser))]
    for (const row of rows) console.log(lineOf(row))
    if (!isShort)
      await writeFigures('The page', {
        command: 'npm run bench -- page',
        how: `In headless Chromium ${browser.version()} without a graphics card, on the computer of the server; median of ${rounds} loads, each with an empty cache, in turn, from the address to the painted frame. The recording plays for ${playMs / 1000} s from its middle.`,
        rows,
      })
  } finally {
    await browser.close()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
