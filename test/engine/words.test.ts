import { expect, test } from 'bun:test'
import { segmentOf, type TimedToken, wordsOf } from '../../src/engine/words.ts'

/** One token of 100 ms per text. */
const tokens = (...texts: (string | number[])[]): TimedToken[] =>
  texts.map((text, i) => ({
    bytes: typeof text === 'string' ? new TextEncoder().encode(text) : Uint8Array.from(text),
    startMs: i * 100,
    endMs: (i + 1) * 100,
    probability: 0.5,
  }))

const words = (...texts: (string | number[])[]) => wordsOf(tokens(...texts)).map(({ word }) => word)

test.each<[string, string[], string[]]>([
  ['a space begins a word', [' And', ' so', ' my'], ['And', 'so', 'my']],
  ['parts without a space belong to it', [' cold', '-', 'hear', 'ted'], ['cold-hearted']],
  ['punctuation stays with the word before', [' Hello', ',', ' world', '.'], ['Hello,', 'world.']],
  ['also after a space', [' Hello', ' ,', ' world', ' ...'], ['Hello ,', 'world ...']],
  ['an opening quote begins the word after it', [' said', ' "', 'yes', '"'], ['said', '"yes"']],
  ['money keeps its sign', [' costs', ' $', '5'], ['costs', '$5']],
  ['a spoken sign is a word', [' Q', ' &', ' A', ' 5', ' %'], ['Q', '&', 'A', '5', '%']],
  ['a dash between words stays with the first', [' one', ' –', ' two'], ['one –', 'two']],
  ['apostrophes do not divide', [' I', "'m", ' here'], ["I'm", 'here']],
  ['a first word may come without its space', ['Well', ' then'], ['Well', 'then']],
  ['Chinese characters are words of their own', ['你', '好', '，', '世界'], ['你', '好，', '世界']],
  ['Japanese too, and Latin within it', ['これは', 'A', 'です'], ['これは', 'A', 'です']],
  ['empty tokens are nothing', ['', ' ', ' so'], ['so']],
])('%s', (_, texts, expected) => {
  expect(words(...texts)).toEqual(expected)
})

test('joins a character that spans several tokens', () => {
  const [first, ...rest] = new TextEncoder().encode('😀')
  expect(words(' caf', [0xc3], [0xa9], ' ok')).toEqual(['café', 'ok'])
  expect(words([0x20, first!], rest, ' ok')).toEqual(['😀', 'ok'])
})

test('makes a Chinese character that spans several tokens a word of its own', () => {
  const [first, ...rest] = new TextEncoder().encode('您')
  expect(words(' OK', [first!], rest, '好')).toEqual(['OK', '您', '好'])
})

test('replaces bytes that are not UTF-8', () => {
  expect(words(' a', [0x20, 0xff], ' b')).toEqual(['a', '�', 'b'])
})

test('gives a word the span and the geometric mean probability of its tokens', () => {
  const [one, two] = tokens(' un', 'til')
  expect(wordsOf([one!, { ...two!, probability: 0.125 }])).toEqual([
    { word: 'until', startMs: 0, endMs: 200, probability: expect.closeTo(0.25, 6) },
  ])
})

test('gives a segment the mean log-probability of its text, or null without text', () => {
  expect(segmentOf(tokens(' so', ' it'), 0, 200)).toMatchObject({
    text: 'so it',
    avgLogprob: expect.closeTo(Math.log(0.5), 6),
    noSpeechProb: null,
  })
  expect(segmentOf([], 0, 200)).toEqual({
    startMs: 0,
    endMs: 200,
    text: '',
    avgLogprob: null,
    noSpeechProb: null,
    words: [],
  })
})

test('adds tokens and log-probabilities to words only on request', () => {
  const scored = tokens(' cold', ' he', 'art').map((token, n) => ({ ...token, logprob: -n }))
  const bytesOf = (text: string) => [...new TextEncoder().encode(text)]
  expect(wordsOf(scored).map((word) => word.tokens)).toEqual([
    [{ bytes: bytesOf(' cold'), logprob: -0 }],
    [
      { bytes: bytesOf(' he'), logprob: -1 },
      { bytes: bytesOf('art'), logprob: -2 },
    ],
  ])
  expect(wordsOf(tokens(' cold'))[0]).not.toHaveProperty('tokens')
})
