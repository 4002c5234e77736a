import { expect, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refineText } from '../../src/text/refinement/refine.ts'
import type { StyleRules } from '../../src/text/refinement/step.ts'
import { refineInPieces } from '../../src/writing/refiner.ts'
import { testAtLength } from '../support/at-length.ts'

const rules: StyleRules = {
  ...{ removeFillers: true, capitalize: 'sentence', trailingPeriod: 'strip', trailingSpace: false },
  ...{ spokenPunctuation: true, numbers: 'digits', paragraphs: false },
}
const flags = { smartCleanup: true, selfCorrection: true, preserveTechnical: true }
const refine = (piece: string, withRules: StyleRules) =>
  refineText(piece, { language: 'en', flags, rules: withRules })
const never = new AbortController().signal

const pairs: { input: string }[] = JSON.parse(
  await readFile(join(import.meta.dir, '../text/refinement/pairs/en.json'), 'utf8'),
)
const prose = pairs.map(({ input }) => input.trim()).filter((input) => /^[A-Z].*[.!?]$/.test(input))
/** Complete sentences, some of which the rules change, with line breaks between some. */
const long = Array.from({ length: 400 }, (_, at) => prose[at % prose.length]! + (at % 7 === 0 ? '\n' : ' '))
  .join('')
  .trim()

testAtLength('refines a long text as in one piece, and yields to the event loop', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const { text, steps } = await refineInPieces(long, { rules, signal: never }, refine)
  clearInterval(timer)
  expect(long.length).toBeGreaterThan(8000)
  expect(turns).toBeGreaterThan(1)
  expect(text).toBe(refine(long, rules).text)
  expect(steps).toEqual([{ step: 'rules', before: long, after: text }])
})

test('refining a refined text changes nothing', async () => {
  const first = await refineInPieces(long, { rules, signal: never }, refine)
  const second = await refineInPieces(first.text, { rules, signal: never }, refine)
  expect(second.text).toBe(first.text)
})

test('a short text keeps its steps', async () => {
  const { text, steps } = await refineInPieces('Um, hello there.', { rules, signal: never }, refine)
  expect(text).toBe('Hello there')
  expect(steps.map(({ step }) => step)).toContain('hesitations')
})

test('returns the input when canceled', async () => {
  const { text } = await refineInPieces(long, { rules, signal: AbortSignal.abort() }, refine)
  expect(text).toBe(long)
})

test('the pairs yield enough sentences for a long text', async () => {
  expect((await readdir(join(import.meta.dir, '../text/refinement/pairs'))).length).toBe(9)
  expect(prose.length).toBeGreaterThan(20)
})
