// Properties of refinement for all texts: it loses nothing that matters, is idempotent and never fails.

import { describe, expect, test } from 'bun:test'
import fc, { numRuns } from '../../support/fast-check.ts'
import { refine } from './pairs.ts'
import { anyLanguage, anyOptions, dictatedSentences, dictatedText, KEPT, NUMBERS, textOf } from './pieces.ts'

const RUNS = { numRuns: numRuns(1500) }

/** Only loops and corrections may remove content. */
const WITHOUT_CORRECTIONS = { flags: { selfCorrection: false } }

const countOf = (text: string, part: string) => text.split(part).length - 1

describe('refinement', () => {
  test('is idempotent', () => {
    fc.assert(
      fc.property(dictatedText, anyLanguage, anyOptions, (text, language, options) => {
        const once = refine(text, language, options).text
        expect(refine(once, language, options)).toEqual({ text: once, steps: [] })
      }),
      RUNS,
    )
  })

  test('is idempotent for texts of whole sentences', async () => {
    fc.assert(
      fc.property(await dictatedSentences(), anyLanguage, anyOptions, (text, language, options) => {
        const once = refine(text, language, options).text
        expect(refine(once, language, options)).toEqual({ text: once, steps: [] })
      }),
      { numRuns: numRuns(500) },
    )
  })

  test('never loses an address, a path, an identifier, a version, an option or a quotation', () => {
    const filled = textOf(
      fc.oneof(
        fc.constantFrom('um', 'euh', 'the the', 'comma', 'えーと', 'word', 'Wort'),
        fc.constantFrom(...KEPT),
      ),
    )
    fc.assert(
      fc.property(filled, anyLanguage, (text, language) => {
        const refined = refine(text, language, WITHOUT_CORRECTIONS).text
        for (const kept of KEPT) expect(countOf(refined, kept)).toBeGreaterThanOrEqual(countOf(text, kept))
      }),
      RUNS,
    )
  })

  test('never loses a digit', () => {
    const digitsOf = (text: string) => (text.match(/\d/g) ?? []).join('')
    const filled = textOf(
      fc.oneof(
        fc.constantFrom('um', 'euh', 'the the', 'comma', 'えーと', 'dot', 'Punkt'),
        fc.constantFrom(...NUMBERS),
      ),
    )
    fc.assert(
      fc.property(filled, anyLanguage, (text, language) => {
        expect(digitsOf(refine(text, language, WITHOUT_CORRECTIONS).text)).toBe(digitsOf(text))
      }),
      RUNS,
    )
  })

  test('never loses a line break', () => {
    const lines = fc.array(
      fc.constantFrom('Um, yes.', 'I I think so.', 'Hello, uh, world', 'one', 'two', 'three'),
      {
        minLength: 2,
        maxLength: 12,
      },
    )
    fc.assert(
      fc.property(lines, (parts) => {
        const distinct = parts.map((part, index) => `${part} line${'abcdefghijkl'[index]}`)
        expect(countOf(refine(distinct.join('\n'), 'en').text, '\n')).toBe(parts.length - 1)
      }),
      { numRuns: numRuns(300) },
    )
  })

  test('never throws for any characters', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: 'grapheme' }),
          fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
        ),
        anyLanguage,
        anyOptions,
        (text, language, options) => {
          expect(typeof refine(text, language, options).text).toBe('string')
        },
      ),
      RUNS,
    )
  })

  test('changes nothing with all flags and rules off', () => {
    const off = { smartCleanup: false, selfCorrection: false, preserveTechnical: false }
    fc.assert(
      fc.property(fc.oneof(dictatedText, fc.string({ unit: 'binary' })), anyLanguage, (text, language) => {
        expect(refine(text, language, { flags: off, rules: { spokenPunctuation: false } })).toEqual({
          text,
          steps: [],
        })
      }),
      RUNS,
    )
  })

  test('reports steps that lead from the text to the result', () => {
    fc.assert(
      fc.property(dictatedText, anyLanguage, anyOptions, (text, language, options) => {
        const result = refine(text, language, options)
        let current = text
        for (const { before, after } of result.steps) {
          expect(before).toBe(current)
          expect(after).not.toBe(before)
          current = after
        }
        expect(current).toBe(result.text)
      }),
      { numRuns: numRuns(300) },
    )
  })
})
