// Plays a capture in the page and measures its frames while words are highlighted.

import type { Browser } from 'playwright-core'
import { until } from '../../test/support/until.ts'

export type PlayedFrames = {
  /** from one frame to the next */
  intervalsMs: number[]
  /** CPU time per frame: of the page's main thread, and of all processes of the browser */
  mainThreadMs: number
  browserMs: number
  /** distinct words highlighted meanwhile */
  words: number
}

const PATIENCE = { timeoutMs: 60_000 }
/** The first words include a smooth scroll, which is not measured. */
const SETTLED_WORDS = 5

const WATCH = `
  globalThis.frames = []
  globalThis.litWords = 0
  let last = null
  const note = (now) => {
    frames.push(now)
    const [range] = CSS.highlights.get('said') ?? []
    const word = range ? [range.startContainer, range.startOffset] : null
    if (word && (last === null || word.some((part, index) => part !== last[index]))) litWords++
    if (word) last = word
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)`

/** @param fromSecond a position around which nothing was rendered before */
export async function playFrames(
  browser: Browser,
  address: string,
  { fromSecond, playMs }: { fromSecond: number; playMs: number },
): Promise<PlayedFrames> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 860 } })
  try {
    const page = await context.newPage()
    await page.goto(`${address}?at=${fromSecond}`)
    await page.waitForSelector('.transcript .segment')
    await page.waitForSelector('.waveform path[d^=M]', { state: 'attached' })
    await page.click('.player .primary')
    await page.evaluate(WATCH)
    const lit = () => page.evaluate('litWords') as Promise<number>
    await until(async () => (await lit()) >= SETTLED_WORDS, PATIENCE)
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const ofBrowser = await browser.newBrowserCDPSession()
    const browserWorkedMs = async () => {
      const { processInfo } = await ofBrowser.send('SystemInfo.getProcessInfo')
      return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0)
    }
    const workedMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
    }
    await page.evaluate('frames.length = 0, litWords = 0')
    const before = { main: await workedMs(), all: await browserWorkedMs() }
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${playMs}))`)
    const times = (await page.evaluate('frames')) as number[]
    const after = { main: await workedMs(), all: await browserWorkedMs() }
    const intervalsMs = times.slice(1).map((time, index) => time - times[index]!)
    const aFrame = (kind: 'main' | 'all') => (after[kind] - before[kind]) / intervalsMs.length
    return { intervalsMs, mainThreadMs: aFrame('main'), browserMs: aFrame('all'), words: await lit() }
  } finally {
    await context.close()
  }
}
