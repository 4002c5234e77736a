import { expect, test } from 'bun:test'
import { type CountTokens, countBytes, MAX_PROMPT_TOKENS } from '../../../src/text/dictionary/prompt.ts'
import fc from '../../support/fast-check.ts'
import { buildPrompt, type EntryLike, entry } from './entries.ts'

const term = (word: string, more: Partial<EntryLike> = {}) => entry({ word, type: 'term', ...more })
const many = (count: number, word = 'Kubernetes') =>
  Array.from({ length: count }, (_, i) => term(`${word}${i}`, { priority: -i }))

const ask = (entries: ReturnType<typeof term>[], more: Partial<Parameters<typeof buildPrompt>[0]> = {}) =>
  buildPrompt({ entries, language: 'en', texts: [], ...more })

test('the best term is last: by priority, then use, then how recent', () => {
  const day = (date: number) => new Date(Date.UTC(2026, 0, date))
  const { prompt, terms } = ask([
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

test('only terms, in the language that is spoken, each word once', () => {
  const entries = [
    term('Bun'),
    term('bun', { id: 'again', language: 'en' }),
    term('Brot', { language: 'de' }),
    entry({ word: 'x', replacement: 'y' }),
  ]
  expect(ask(entries).prompt).toBe('Bun.')
  expect(ask(entries, { language: null }).prompt).toBe('Bun, Brot.')
})

test('nothing to tell is no prompt', () => {
  expect(ask([], { texts: [null, ' '] })).toEqual({
    prompt: null,
    tokens: 0,
    terms: [],
    dropped: [],
    droppedKeywords: [],
    shortened: false,
  })
})

test('keywords of the request rank before the terms that were taught, and count once', () => {
  const told = ask([term('Bun')], { keywords: ['Elysia', 'bun', ' '] })
  expect(told.terms).toEqual(['bun', 'Elysia'])
  expect(told.prompt).toBe('bun, Elysia.')
})

test('keywords that find no room are named', () => {
  const keywords = Array.from({ length: 100 }, (_, index) => `Keyword${index}`)
  const { terms, droppedKeywords, tokens } = ask([], { keywords })
  expect([...terms.toReversed(), ...droppedKeywords]).toEqual(keywords)
  expect(droppedKeywords.length).toBeGreaterThan(0)
  expect(tokens).toBeLessThanOrEqual(223)
})

test('of a text of any length its end is told', () => {
  const { prompt, shortened } = ask([], { texts: [`${'begin '.repeat(20_000)}the end`] })
  expect(prompt).toEndWith('begin the end')
  expect(shortened).toBe(true)
})

test('the texts of settings and request stand before the terms', () => {
  expect(ask([term('Bun')], { texts: ['Dear all, ', null, 'about\nJavaScript.'] }).prompt).toBe(
    'Dear all, about JavaScript. Bun.',
  )
})

test('terms without room are dropped and told, the best first', () => {
  const { tokens, terms, dropped } = ask(many(50))
  expect(tokens).toBeLessThanOrEqual(MAX_PROMPT_TOKENS)
  expect(tokens).toBeGreaterThan(MAX_PROMPT_TOKENS - 15)
  expect(terms.at(-1)).toBe('Kubernetes0')
  expect(dropped.map(({ word }) => word)).toEqual(
    Array.from({ length: 50 - terms.length }, (_, i) => `Kubernetes${terms.length + i}`),
  )
})

test('a long term that does not fit leaves its place to shorter ones', () => {
  const { terms, dropped } = ask([
    term('x'.repeat(198), { priority: 2 }),
    term('y'.repeat(60), { priority: 1 }),
    term('Bun'),
  ])
  expect(terms).toEqual(['Bun', 'x'.repeat(198)])
  expect(dropped).toHaveLength(1)
})

test('a long text leaves half of the room to the terms, and keeps its end', () => {
  const { prompt, shortened, terms } = ask(many(50), { texts: ['word '.repeat(200), 'the very end'] })
  expect(prompt).toContain('word the very end Kubernetes')
  expect(shortened).toBe(true)
  expect(terms.length).toBeGreaterThan(7)
})

test('a long text alone has all of the room', () => {
  const { prompt, tokens } = ask([], { texts: ['one two '.repeat(100)] })
  expect(tokens).toBeGreaterThan(MAX_PROMPT_TOKENS - 8)
  expect(prompt).toStartWith('two one')
})

test('never more than there is room for, in any writing, whatever a token is', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 })
  // A token for each letter, or for each byte, or more where parts meet.
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
        const { prompt, tokens } = ask(entries, { texts, countTokens })
        expect(tokens).toBeLessThanOrEqual(MAX_PROMPT_TOKENS)
        expect(tokens).toBe(prompt === null ? 0 : countTokens(` ${prompt}`))
      },
    ),
    { numRuns: 200 },
  )
})
