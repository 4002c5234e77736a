// Measures refinement on pairs that no rule was written from (held-out/*.json). To fix the behaviour of a rule, add a
// pair to pairs/*.json instead, which must pass completely.

import { expect, test } from 'bun:test'
import { LANGUAGES, type Pair, refine } from './pairs.ts'

/** Several results are accepted if careful writers differ ("30 %" or "30 percent"). */
type HeldOutPair = Omit<Pair, 'expected'> & { expected: string | string[] }

const MIN_TOTAL_RATE = 0.9
const MIN_LANGUAGE_RATE = 0.8
const MIN_PAIRS = 20

const readHeldOut = (language: string): Promise<HeldOutPair[]> =>
  Bun.file(new URL(`held-out/${language}.json`, import.meta.url)).json()

const failuresOf = (pairs: HeldOutPair[], language: string) =>
  pairs.flatMap(({ input, expected, options }) => {
    const rules = { numbers: 'digits' as const, ...options?.rules }
    const { text, steps } = refine(input, language, { ...options, rules })
    const accepted = [expected].flat()
    return accepted.includes(text) ? [] : [{ input, accepted, text, steps: steps.map(({ step }) => step) }]
  })

test('refines at least 90 % of the held-out pairs as expected', async () => {
  const measured = await Promise.all(
    LANGUAGES.map(async (language) => {
      const pairs = await readHeldOut(language)
      const failures = failuresOf(pairs, language)
      return { language, count: pairs.length, failures, rate: 1 - failures.length / pairs.length }
    }),
  )
  const count = measured.reduce((sum, each) => sum + each.count, 0)
  const passed = measured.reduce((sum, each) => sum + each.count - each.failures.length, 0)

  for (const { language, count, failures } of measured) {
    console.log(`${language}: ${count - failures.length} of ${count}`)
    for (const { input, accepted, text, steps } of failures) {
      console.log(`  ${JSON.stringify(input)}\n    wanted ${JSON.stringify(accepted[0])}`)
      console.log(`    got    ${JSON.stringify(text)} (${steps.join(', ')})`)
    }
  }
  console.log(`total: ${passed} of ${count} (${((100 * passed) / count).toFixed(1)} %)`)

  for (const each of measured) expect(each.count).toBeGreaterThanOrEqual(MIN_PAIRS)
  expect(measured.filter(({ rate }) => rate < MIN_LANGUAGE_RATE).map(({ language }) => language)).toEqual([])
  expect(passed / count).toBeGreaterThanOrEqual(MIN_TOTAL_RATE)
})
