import { expect, test } from 'bun:test'
import { highlight, parseQuery } from '../../src/captures/search.ts'

const shown = (text: string, query: string) => highlight(text, parseQuery(query)!.shown)

test('marks every match in the excerpt, in the original spelling', () => {
  expect(shown('Ça va? ÇA VA!', 'ca')).toBe('<mark>Ça</mark> va? <mark>ÇA</mark> VA!')
})

test('finds the match in a text of many hours', () => {
  const text = `${'and so on '.repeat(50_000)}the <needle> is here ${'and so on '.repeat(50_000)}`
  const piece = shown(text, 'needle')!
  expect(piece).toContain('the &lt;<mark>needle</mark>&gt; is here')
  expect(piece.length).toBeLessThan(400)
  expect(piece.startsWith('…')).toBe(true)
  expect(piece.endsWith('…')).toBe(true)
})

test('matches one character that stands for several', () => {
  expect(shown('ﬁnd the ﬁrst', 'find')).toBe('<mark>ﬁnd</mark> the ﬁrst')
  expect(shown('한국어 음성', '음성')).toBe('한국어 <mark>음성</mark>')
})

test('returns null without a match', () => {
  expect(shown('some text', 'other')).toBeNull()
  expect(shown('', 'x')).toBeNull()
})

test('marks matches at word starts, and anywhere in scripts without spaces', () => {
  expect(shown('start the art, (artful)', 'art')).toBe('start the <mark>art</mark>, (<mark>art</mark>ful)')
  expect(shown('art art', 'art')).toBe('<mark>art</mark> <mark>art</mark>')
  expect(shown('我们明天去北京', '明天')).toBe('我们<mark>明天</mark>去北京')
})
