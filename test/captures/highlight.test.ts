import { expect, test } from 'bun:test'
import { highlight } from '../../src/captures/highlight.ts'

test('marks every match in the piece it shows, in the letters of the text', () => {
  expect(highlight('Ça va? ÇA VA!', ['ca'])).toBe('<mark>Ça</mark> va? <mark>ÇA</mark> VA!')
})

test('shows the place of the match in hours of speech', () => {
  const text = `${'and so on '.repeat(50_000)}the <needle> is here ${'and so on '.repeat(50_000)}`
  const shown = highlight(text, ['needle'])!
  expect(shown).toContain('the &lt;<mark>needle</mark>&gt; is here')
  expect(shown.length).toBeLessThan(400)
  expect(shown.startsWith('…')).toBe(true)
  expect(shown.endsWith('…')).toBe(true)
})

test('finds what is written with one sign and is several', () => {
  expect(highlight('ﬁnd the ﬁrst', ['find'])).toBe('<mark>ﬁnd</mark> the ﬁrst')
  expect(highlight('한국어 음성', ['음성'])).toBe('한국어 <mark>음성</mark>')
})

test('is nothing where nothing matches', () => {
  expect(highlight('some text', ['other'])).toBeNull()
  expect(highlight('', ['x'])).toBeNull()
})
