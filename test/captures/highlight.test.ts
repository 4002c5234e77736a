import { expect, test } from 'bun:test'
import { highlight } from '../../src/captures/highlight.ts'
import { parseQuery } from '../../src/captures/search-query.ts'

const shown = (text: string, query: string) => highlight(text, parseQuery(query)!.shown)

test('marks every match in the piece it shows, in the letters of the text', () => {
  expect(shown('Ça va? ÇA VA!', 'ca')).toBe('<mark>Ça</mark> va? <mark>ÇA</mark> VA!')
})

test('shows the place of the match in hours of speech', () => {
  const text = `${'and so on '.repeat(50_000)}the <needle> is here ${'and so on '.repeat(50_000)}`
  const piece = shown(text, 'needle')!
  expect(piece).toContain('the &lt;<mark>needle</mark>&gt; is here')
  expect(piece.length).toBeLessThan(400)
  expect(piece.startsWith('…')).toBe(true)
  expect(piece.endsWith('…')).toBe(true)
})

test('finds what is written with one sign and is several', () => {
  expect(shown('ﬁnd the ﬁrst', 'find')).toBe('<mark>ﬁnd</mark> the ﬁrst')
  expect(shown('한국어 음성', '음성')).toBe('한국어 <mark>음성</mark>')
})

test('is nothing where nothing matches', () => {
  expect(shown('some text', 'other')).toBeNull()
  expect(shown('', 'x')).toBeNull()
})

test('marks words where they begin, and anywhere in scripts without spaces', () => {
  expect(shown('start the art, (artful)', 'art')).toBe('start the <mark>art</mark>, (<mark>art</mark>ful)')
  expect(shown('art art', 'art')).toBe('<mark>art</mark> <mark>art</mark>')
  expect(shown('我们明天去北京', '明天')).toBe('我们<mark>明天</mark>去北京')
})
