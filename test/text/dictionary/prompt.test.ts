import { expect, test } from 'bun:test'
import {
  type CountTokens,
  countBytes,
  dictionaryPrompt,
  MAX_PROMPT_TOKENS,
} from '../../../src/text/dictionary/prompt.ts'
import fc, { numRuns } from '../../support/fast-check.ts'
import { type EntryLike, entry } from './entries.ts'

const term = (word: string, more: Partial<EntryLike> = {}) => entry({ word, type: 'term', ...more })
const many = (count: number, word = 'Kubernetes') =>
  Array.from({ length: count }, (_, i) => term(`${word}${i}`, { priority: -i }))

const promptFor = (
  entries: ReturnType<typeof term>[],
  more: Partial<Parameters<typeof dictionaryPrompt>[0]> = {},
) => dictionaryPrompt({ entries, language: 'en', texts: [], ...more })

test('orders terms by priority, then use, then recency, with the best term last', () => {
  const day = (date: number) => new Date(Date.UTC(2026, 0, date))
  const { prompt, terms } = promptFor([
    term('Often', { usageCount: 5 }),
    term('First', { priority: 1 }),
    term('Recent', { usageCount: 2, lastUsedAt: day(9) }),
    term('Earlier', { usageCount: 2, lastUsedAt: day(8) }),
    term('Newer', { createdAt: day(3) }),
    term('Older', { createdAt: day(2) }),
  ])
  expect(prompt).toBe('Older, Newer, Earlier, Recent, Often, First.')
  expect(terms.at(-1)).toBe('First')
})

test('includes only terms, in the spoken language, each word once', () => {
  const entries = [
    term('Bun'),
    term('bun', { id: 'again', language: 'en' }),
    term('Brot', { language: 'de' }),
    entry({ word: 'x', replacement: 'y' }),
  ]
  expect(promptFor(entries).prompt).toBe('Bun.')
  expect(promptFor(entries, { language: null }).prompt).toBe('Bun, Brot.')
})

test('returns no prompt without texts and terms', () => {
  expect(promptFor([], { texts: [null, ' '] })).toEqual({
    prompt: null,
    tokens: 0,
    terms: [],
    dropped: [],
    droppedKeywords: [],
    shortened: false,
  })
})

test('ranks keywords of the request before terms of the dictionary, without duplicates', () => {
  const built = promptFor([term('Bun')], { keywords: ['Elysia', 'bun', ' '] })
  expect(built.terms).toEqual(['bun', 'Elysia'])
  expect(built.prompt).toBe('bun, Elysia.')
})

test('returns keywords that do not fit', () => {
  const keywords = Array.from({ length: 100 }, (_, index) => `Keyword${index}`)
  const { terms, droppedKeywords, tokens } = promptFor([], { keywords })
  expect([...terms.toReversed(), ...droppedKeywords]).toEqual(keywords)
  expect(droppedKeywords.length).toBeGreaterThan(0)
  expect(tokens).toBeLessThanOrEqual(223)
})

test('includes the end of a long text', () => {
  const { prompt, shortened } = promptFor([], { texts: [`${'begin '.repeat(20_000)}the end`] })
  expect(prompt).toEndWith('begin the end')
  expect(shortened).toBe(true)
})

test('puts the initial prompts of settings and request before the terms', () => {
  expect(promptFor([term('Bun')], { texts: ['Dear all, ', null, 'about\nJavaScript.'] }).prompt).toBe(
    'Dear all, about JavaScript. Bun.',
  )
})

test('drops terms that do not fit, and returns them, the best first', () => {
  const { tokens, terms, dropped } = promptFor(many(50))
  expect(tokens).toBeLessThanOrEqual(MAX_PROMPT_TOKENS)
  expect(tokens).toBeGreaterThan(MAX_PROMPT_TOKENS - 15)
  expect(terms.at(-1)).toBe('Kubernetes0')
  expect(dropped.map(({ word }) => word)).toEqual(
    Array.from({ length: 50 - terms.length }, (_, i) => `Kubernetes${terms.length + i}`),
  )
})

test('uses shorter terms instead of a long one that does not fit', () => {
  const { terms, dropped } = promptFor([
    term('x'.repeat(198), { priority: 2 }),
    term('y'.repeat(60), { priority: 1 }),
    term('Bun'),
  ])
  expect(terms).toEqual(['Bun', 'x'.repeat(198)])
  expect(dropped).toHaveLength(1)
})

test('a long text leaves half of the tokens to the terms, and keeps its end', () => {
  const { prompt, shortened, terms } = promptFor(many(50), { texts: ['word '.repeat(200), 'the very end'] })
  expect(prompt).toContain('word the very end Kubernetes')
  expect(shortened).toBe(true)
  expect(terms.length).toBeGreaterThan(7)
})

test('a long text without terms uses all tokens', () => {
  const { prompt, tokens } = promptFor([], { texts: ['one two '.repeat(100)] })
  expect(tokens).toBeGreaterThan(MAX_PROMPT_TOKENS - 8)
  expect(prompt).toStartWith('two one')
})

test('never exceeds the limit, for any text and tokenizer', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 })
  // One token a byte, one a character, or extra tokens where parts meet.
  const counters: CountTokens[] = [
    countBytes,
    (one) => [...one].length,
    (one) => one.length + one.split(', ').length,
  ]
  fc.assert(
    fc.property(
      fc.array(
        text.map((one) => one.slice(0, 200)),
        { maxLength: 30 },
      ),
      fc.array(text, { maxLength: 2 }),
      fc.constantFrom(...counters),
      (words, texts, countTokens) => {
        const entries = words.map((word, id) => term(word, { id: String(id) }))
        const { prompt, tokens } = promptFor(entries, { texts, countTokens })
        expect(tokens).toBeLessThanOrEqual(MAX_PROMPT_TOKENS)
        expect(tokens).toBe(prompt === null ? 0 : countTokens(` ${prompt}`))
      },
    ),
    { numRuns: numRuns(200) },
  )
})
