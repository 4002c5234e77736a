// The command grammar: utterances and their outcomes (cases.json), dictation that is no command, and hostile input.

import { describe, expect, test } from 'bun:test'
import { COMMAND_RULES, understand } from '../../../src/text/commands/grammar.ts'
import type { CommandRule } from '../../../src/text/commands/rule.ts'
import fc, { numRuns } from '../../support/fast-check.ts'
import cases from './cases.json'

type Case = {
  say: string
  input?: string
  /** null: no command matches, or none applies to the text */
  output?: string | null
  keys?: string[]
  inserted?: string
  language?: string
}

/** The outcome of an utterance, as in src/commands. */
function outcomeOf(say: string, input: string, language: string | null): Omit<Case, 'say' | 'input'> {
  for (const { rule, params } of understand(say)) {
    if (rule.kind === 'action') return { keys: rule.keys(params) }
    if (rule.kind === 'insert') return { inserted: rule.inserted }
    const output = rule.apply(input, params, { language })
    if (output !== null) return { output }
  }
  return { output: null }
}

const all = cases as Case[]

describe('utterances and their outcomes', () => {
  for (const { say, input = '', language, ...expected } of all)
    test(`${JSON.stringify(say)} on ${JSON.stringify(input)}`, () => {
      expect(outcomeOf(say, input, language ?? null)).toEqual(expected)
    })
})

test('there are at least 200 cases, including 50 of dictation', () => {
  expect(all.length).toBeGreaterThanOrEqual(200)
  expect(all.filter(({ output }) => output === null).length).toBeGreaterThanOrEqual(50)
})

describe('the commands', () => {
  const isPlain = ({ patterns }: CommandRule) => patterns.some((pattern) => !pattern.includes('{'))

  test('are at least sixty, each with a unique name and a description', () => {
    expect(COMMAND_RULES.length).toBeGreaterThanOrEqual(60)
    expect(new Set(COMMAND_RULES.map(({ name }) => name)).size).toBe(COMMAND_RULES.length)
    expect(COMMAND_RULES.filter(({ description }) => description === '').map(({ name }) => name)).toEqual([])
  })

  test('match their examples, and their names if they have no slots', () => {
    for (const rule of COMMAND_RULES) {
      expect(understand(rule.example)[0]?.rule.name, rule.example).toBe(rule.name)
      if (isPlain(rule)) expect(understand(rule.name)[0]?.rule.name, rule.name).toBe(rule.name)
    }
  })

  test('match with polite words, in any case and with the punctuation of a recogniser', () => {
    for (const rule of COMMAND_RULES)
      for (const said of [
        `${rule.example}.`,
        `Please, ${rule.example}.`,
        `Could you ${rule.example}, please?`,
        rule.example.toUpperCase(),
        `  ${rule.example}!  `,
      ])
        expect(understand(said)[0]?.rule.name, said).toBe(rule.name)
  })

  test('are not found inside longer speech', () => {
    for (const rule of COMMAND_RULES.filter(isPlain))
      for (const said of [
        `yesterday he said ${rule.name} to me`,
        `the ${rule.name} is what we discussed at length`,
      ])
        expect(outcomeOf(said, 'Nothing of that is here.', null), said).toEqual({ output: null })
  })
})

describe('for any text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          'a',
          'B.',
          '\n',
          '\r\n',
          ' ',
          '- ',
          '1. ',
          '`',
          '**',
          '(',
          '"',
          'İ',
          'ß',
          '北京。',
          '👍🏽',
          '\u0301',
        ),
      )
      .map((parts) => parts.join('')),
  )
  const language = fc.constantFrom(null, 'en', 'tr', 'de', 'fr', 'ja', 'th', 'yue', 'jw')

  for (const rule of COMMAND_RULES)
    if (rule.kind === 'transform')
      test(`"${rule.example}" returns a text or null`, () => {
        const { params } = understand(rule.example)[0]!
        fc.assert(
          fc.property(text, language, (input, language) => {
            const output = rule.apply(input, params, { language })
            expect(output === null || typeof output === 'string').toBe(true)
          }),
          { numRuns: numRuns(60) },
        )
      })

  const IDEMPOTENT = [
    'upper case',
    'lower case',
    'sort lines',
    'unique lines',
    'remove empty lines',
    'bullet list',
    'numbered list',
    'checklist',
    'fix spacing',
    'collapse spaces',
    'add a period',
    'snake case',
  ]
  test('cleaning and ordering commands are idempotent', () => {
    const words = fc
      .array(fc.constantFrom('one', 'Two', 'b2', 'b10', ',', '. ', ' ', '  ', '\n', '“x”', '!', '- ', 'Ä'), {
        maxLength: 20,
      })
      .map((parts) => parts.join(''))
    for (const name of IDEMPOTENT) {
      const rule = COMMAND_RULES.find((one) => one.name === name)!
      if (rule.kind !== 'transform') throw new Error(`${name} is not a transform`)
      fc.assert(
        fc.property(words, (input) => {
          const once = rule.apply(input, {}, { language: 'en' }) ?? input
          expect(rule.apply(once, {}, { language: 'en' }), name).toBe(once)
        }),
        { numRuns: numRuns(100) },
      )
    }
  })
})

describe('for any utterance', () => {
  test('the grammar never throws', () => {
    const utterance = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4200 }),
      fc
        .array(
          fc.constantFrom(
            'replace',
            'with',
            'the',
            'all',
            'put',
            'in',
            '"',
            'first',
            'make',
            'it',
            'delete',
            '.',
            'to',
            'and',
          ),
          { maxLength: 400 },
        )
        .map((words) => words.join(' ')),
    )
    fc.assert(
      fc.property(utterance, (say) => {
        outcomeOf(say, 'A text with the words.\nTwo lines.', null)
      }),
      { numRuns: numRuns(300) },
    )
  })

  test('the grammar ignores utterances over four thousand characters', () => {
    expect(understand(`upper case${' '.repeat(4000)}`)).toEqual([])
  })
})
