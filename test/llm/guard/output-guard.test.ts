import { describe, expect, test } from 'bun:test'
import { checkAnswer, type OutputGuardOptions } from '../../../src/llm/guard/output-guard.ts'
import { examplesFor } from '../../../src/llm/refine-prompt.ts'
import { REFUSED, TAKEN } from '../guard-cases.ts'

const NUMBERS: Record<string, string> = { 'twenty three': '23', dreiundzwanzig: '23' }

const OPTIONS: OutputGuardOptions = {
  freedom: 'filter',
  keepWords: ['Kubernetes'],
  digitsOf: (text) => text.replace(/twenty three|dreiundzwanzig/g, (words) => NUMBERS[words] ?? words),
}

describe('accepts an output that keeps the meaning', () => {
  test.each(TAKEN)('%s: %s', (_language, said, answer) => {
    const checked = checkAnswer(said, answer, OPTIONS)
    expect(checked.ok ? 'taken' : checked.failure).toBe('taken')
  })

  test('an unchanged text', () => {
    const refused = [...TAKEN, ...REFUSED].filter(([, said]) => !checkAnswer(said, said, OPTIONS).ok)
    expect(refused).toEqual([])
  })

  test.each(['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ja', 'zh', 'ru', 'uk', 'pl', 'sv', 'tr', 'ko', 'ar'])(
    'the examples for the model: %s',
    (language) => {
      for (const { input, output } of examplesFor(language, {
        selfCorrection: false,
        preserveTechnical: true,
      }))
        expect([input, checkAnswer(input, output, OPTIONS)]).toEqual([input, { ok: true, value: output }])
    },
  )

  test('lists and emoji if the style allows them', () => {
    const [said, list] = ['buy milk eggs and bread', '- buy milk\n- eggs\n- and bread']
    for (const freedom of ['filter', 'rewrite'] as const) {
      expect(checkAnswer(said, list, { ...OPTIONS, freedom }).ok).toBe(false)
      expect(checkAnswer(said, `${said} 🎉`, { ...OPTIONS, freedom }).ok).toBe(false)
    }
    expect(checkAnswer(said, list, { ...OPTIONS, decorations: ['list'] }).ok).toBe(true)
    expect(checkAnswer(said, `${said} 🎉`, { ...OPTIONS, decorations: ['emoji'] }).ok).toBe(true)
  })

  test('any case if the style allows it', () => {
    const [said, loud, small] = ['We meet Anna today.', 'WE MEET ANNA TODAY.', 'we meet anna today.']
    expect(checkAnswer(said, small, { ...OPTIONS, letterCase: 'small' }).ok).toBe(true)
    expect(checkAnswer(said, loud, { ...OPTIONS, letterCase: 'small' }).ok).toBe(false)
    expect(checkAnswer(said, loud, { ...OPTIONS, letterCase: 'free' }).ok).toBe(true)
  })

  test('a wrapped text, and removes the wrapping', () => {
    const wrapped = [
      'Here is the text:\n\nSend it.',
      '"Send it."',
      '```\nSend it.\n```',
      '<text>Send it.</text>',
    ]
    for (const answer of wrapped)
      expect(checkAnswer('send it', answer, OPTIONS)).toEqual({ ok: true, value: 'Send it.' })
  })

  test('quotation marks of the speaker, and keeps them', () => {
    expect(checkAnswer('"send it"', '"Send it."', { ...OPTIONS })).toMatchObject({ ok: false })
    expect(checkAnswer('"Send it."', '"Send it."', OPTIONS)).toEqual({ ok: true, value: '"Send it."' })
  })

  test('changes to a quarter of the words for a rewrite, to a tenth for a filter', () => {
    const [said, answer] = [
      'please grab the papers on your way out of the big office',
      'Please collect the papers on your way out of the large office.',
    ]
    expect(checkAnswer(said, answer, OPTIONS).ok).toBe(false)
    expect(checkAnswer(said, answer, { ...OPTIONS, freedom: 'rewrite' }).ok).toBe(true)
  })
})

describe('rejects an output that lost or added something', () => {
  test.each(REFUSED)('%s: %s → %s', (_language, said, answer, reason) => {
    const checked = checkAnswer(said, answer, OPTIONS)
    expect(checked.ok ? 'taken' : checked.failure).toBe(reason)
  })
})
