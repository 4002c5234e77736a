import { expect, test } from 'bun:test'
import { highlightParts, withShortLead } from '../../../src/ui/parts/highlighted.tsx'

test('text in <mark> is a match, everything else stays as written', () => {
  expect(highlightParts('a &lt;b&gt; &amp;amp; <mark>m&quot;n</mark> &#39;z')).toEqual([
    { text: 'a <b> &amp; ', isHit: false },
    { text: 'm"n', isHit: true },
    { text: " 'z", isHit: false },
  ])
  expect(highlightParts('')).toEqual([])
})

test('a text that contains tags stays text', () => {
  expect(highlightParts('&lt;mark&gt;no&lt;/mark&gt;')).toEqual([{ text: '<mark>no</mark>', isHit: false }])
})

test('a long text before the first match is cut at a word, a short one is not', () => {
  const hit = { text: 'here', isHit: true }
  const lead = { text: 'there was a very long way to go before one came ', isHit: false }
  expect(withShortLead([lead, hit])).toEqual([
    { text: '…long way to go before one came ', isHit: false },
    hit,
  ])
  const short = [{ text: 'not far ', isHit: false }, hit]
  expect(withShortLead(short)).toEqual(short)
})
