// The pipeline as a whole: flags, order, report, dictionary, unknown languages, long and hostile texts.

import { describe, expect, test } from 'bun:test'
import { refineWithDictionary } from '../../../src/text/refinement/refine.ts'
import { describeAtLength } from '../../support/at-length.ts'
import { FLAGS, RULES, refine } from './pairs.ts'

const OFF = { smartCleanup: false, selfCorrection: false, preserveTechnical: false }

describe('refineText', () => {
  test('reports only the steps that changed the text', () => {
    const { text, steps } = refine('um, i i think on Monday, no, Tuesday', 'en')
    expect(text).toBe('I think on Tuesday')
    expect(steps.map(({ step }) => step)).toEqual(['hesitations', 'stutters', 'self_corrections', 'casing'])
    expect(steps[0]).toEqual({
      step: 'hesitations',
      before: 'um, i i think on Monday, no, Tuesday',
      after: 'i i think on Monday, no, Tuesday',
    })
  })

  test('applies only explicit style rules with all flags off', () => {
    const rules = { spokenPunctuation: true, trailingSpace: true, trailingPeriod: 'add' as const }
    expect(refine('um um um um um um um, the the end comma', 'en', { flags: OFF, rules }).text).toBe(
      'um um um um um um um, the the end, ',
    )
  })

  test('keeps a word that may be a mark, with and without the full stop that the style strips', () => {
    const rules = { spokenPunctuation: true, trailingPeriod: 'strip' as const }
    const spoken = 'hola a todos punto y aparte hoy hablamos del presupuesto'
    for (const text of [spoken, `${spoken}.`])
      expect(refine(text, 'it', { flags: OFF, rules }).text.toLowerCase()).toBe(spoken)
  })

  test('switches cleaning, corrections and joining separately', () => {
    const spoken = 'um, see a dot com on Monday, no, on Tuesday'
    const only = (flags: Partial<typeof OFF>) => refine(spoken, 'en', { flags: { ...OFF, ...flags } }).text
    expect(only({ smartCleanup: true })).toBe('See a dot com on Monday, no, on Tuesday')
    expect(only({ selfCorrection: true })).toBe('um, see a dot com on Tuesday')
    expect(only({ preserveTechnical: true })).toBe(spoken)
  })

  test('calls the dictionary once, after the rules, and reports it', async () => {
    const calls: string[] = []
    const dictionary = async (text: string) => {
      calls.push(text)
      return text.replaceAll('voice box', 'Voicebox')
    }
    const options = {
      language: 'en',
      flags: FLAGS,
      rules: { ...RULES, trailingPeriod: 'add' as const },
      dictionary,
    }
    const { text, steps } = await refineWithDictionary('um, open voice box', options)
    expect(text).toBe('Open Voicebox.')
    expect(calls).toEqual(['Open voice box'])
    expect(steps.map(({ step }) => step)).toEqual(['hesitations', 'casing', 'dictionary', 'trailing_period'])
  })

  test('accepts a language with a region and in any case', () => {
    expect(refine('Um, yes.', 'EN-us').text).toBe('Yes.')
    expect(refine('Euh, oui.', 'fr_CA').text).toBe('Oui.')
  })

  test('changes no word if the language is unknown', () => {
    const text = 'Um livro, er kam um zehn, like, period. That that is, you know, comma.'
    expect(refine(text, null).text).toBe(text)
    expect(refine(text, 'xx').text).toBe(text)
    expect(refine('Uhh, ano,  dobře .', 'cs').text).toBe('Ano, dobře.')
  })

  test('keeps line breaks of every kind', () => {
    expect(refine('one, um\r\ntwo\u2028three', 'en').text).toBe('One\r\ntwo\u2028three')
  })
})

describeAtLength('hostile texts', () => {
  // Each would take very long if any rule had unbounded lookahead or lookbehind.
  const LENGTH = 60_000
  const word = (index: number) => index.toString(7).replace(/\d/g, (digit) => 'bdgkmrs'[Number(digit)]!)
  const hostile = (piece: string) => {
    let text = ''
    for (let index = 0; text.length < LENGTH; index += 1) text += piece.replaceAll('#', word(index))
    return text
  }

  for (const piece of [
    'a',
    'a.',
    '_',
    '(',
    '"',
    '"# ',
    "'# ",
    '`',
    ',',
    ', ',
    '.',
    '-',
    'a@',
    '/a',
    '我',
    'えーと',
    '\n',
  ])
    test(`terminates for ${JSON.stringify(piece)} repeated`, () => {
      expect(typeof refine(hostile(piece), piece > '\u3000' ? 'ja' : 'en').text).toBe('string')
    })

  for (const piece of [
    'um, # ',
    'I # I ',
    'open quote # ',
    'no wait # ',
    '# dot # dot ',
    '# slash ',
    '#. Scratch that. ',
    '#, um,,,,',
    'comma # ',
  ])
    test(`terminates for ${JSON.stringify(piece)} with distinct words`, () => {
      expect(typeof refine(hostile(piece), 'en').text).toBe('string')
    })
})
