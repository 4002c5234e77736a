import { describe, expect, test } from 'bun:test'
import { LANGUAGES, readPairs, refine } from './pairs.ts'

test('has at least 30 pairs for each language and 300 in total', async () => {
  const counts = await Promise.all(LANGUAGES.map(async (language) => (await readPairs(language)).length))
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(30)
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(300)
})

for (const language of LANGUAGES) {
  describe(language, async () => {
    for (const { input, expected, note, options } of await readPairs(language)) {
      test(note ? `${note}: ${input}` : input, () => {
        const { text } = refine(input, language, options)
        expect(text).toBe(expected)
        expect(refine(text, language, options).text).toBe(expected)
      })
    }
  })
}
