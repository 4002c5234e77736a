import { expect, test } from 'bun:test'
import type { Segment } from '../../src/engine/engine.ts'
import { appliedToSegments } from '../../src/transcription/segment-edits.ts'
import { joinTexts } from '../../src/transcription/transcript.ts'
import { dictionaryOf } from '../text/dictionary/entries.ts'

/** Half a second for each word. */
function segmentOf(text: string, startMs = 0, spoken = text.split(' ')): Segment {
  const words = spoken.map((word, i) => ({
    word,
    startMs: startMs + i * 500,
    endMs: startMs + i * 500 + 500,
    probability: 1 - i / 10,
  }))
  return { startMs, endMs: words.at(-1)!.endMs, text, avgLogprob: -0.2, noSpeechProb: 0.01, words }
}

const apply = async (segments: Segment[], ...entries: Parameters<typeof dictionaryOf>) =>
  appliedToSegments(await dictionaryOf(...entries), segments, { language: 'en' })

const timed = ({ words }: Segment) => words.map(({ word, startMs, endMs }) => [word, startMs, endMs])

test('returns segments without a match unchanged', async () => {
  const segments = [segmentOf('one two'), segmentOf('three', 2000)]
  const outcome = await apply(segments, { word: 'four', replacement: '4' })
  expect(outcome.segments[0]).toBe(segments[0]!)
  expect(outcome).toMatchObject({ segments, text: 'one two three', applied: [] })
})

test('a one-to-one replacement keeps time and punctuation', async () => {
  const { segments, applied } = await apply([segmentOf('we use git hub, really.')], {
    word: 'hub',
    replacement: 'HUB',
  })
  expect(segments[0]!.text).toBe('we use git HUB, really.')
  expect(timed(segments[0]!)[3]).toEqual(['HUB,', 1500, 2000])
  expect(applied).toEqual([{ id: 'hub', count: 1 }])
})

test('fewer words take the time of the old ones and the lowest of their probabilities', async () => {
  const { segments } = await apply([segmentOf('we use git hub.')], { word: 'git hub', replacement: 'GitHub' })
  expect(timed(segments[0]!)).toEqual([
    ['we', 0, 500],
    ['use', 500, 1000],
    ['GitHub.', 1000, 2000],
  ])
  expect(segments[0]!.words[2]!.probability).toBeCloseTo(0.7)
})

test('more words share the time of the old ones by their number of characters', async () => {
  const { segments } = await apply([segmentOf('so btw yes')], { word: 'btw', replacement: 'by the way' })
  expect(timed(segments[0]!)).toEqual([
    ['so', 0, 500],
    ['by', 500, 625],
    ['the', 625, 813],
    ['way', 813, 1000],
    ['yes', 1000, 1500],
  ])
})

test('writes a phrase across two segments into the first', async () => {
  const { segments, text } = await apply(
    [segmentOf('I read the New York'), segmentOf('Times today.', 5000)],
    {
      word: 'new york times',
      replacement: 'NYT',
    },
  )
  expect(segments.map((one) => one.text)).toEqual(['I read the NYT', 'today.'])
  expect(timed(segments[1]!)).toEqual([['today.', 5500, 6000]])
  expect(text).toBe('I read the NYT today.')
})

test('drops a segment that becomes empty', async () => {
  const { segments, text } = await apply([segmentOf('Um'), segmentOf('yes um', 1000)], {
    word: 'um',
    replacement: '',
  })
  expect(segments.map((one) => one.text)).toEqual(['yes'])
  expect(timed(segments[0]!)).toEqual([['yes', 1000, 1500]])
  expect(text).toBe('yes')
})

test('keeps the recognised tokens with the words that replace them, if tokens were requested', async () => {
  const recognised = segmentOf('we use git hub and cooper netties')
  const words = recognised.words.map((word, n) => ({ ...word, tokens: [{ bytes: [n], logprob: -n }] }))
  const entries = [
    { word: 'git hub', replacement: 'GitHub' },
    { word: 'cooper netties', replacement: 'all of Kubernetes' },
    { word: 'use', replacement: 'take' },
  ]
  const { segments } = await apply([{ ...recognised, words }], ...entries)
  expect(segments[0]!.text).toBe('we take GitHub and all of Kubernetes')
  const bytes = segments[0]!.words.map(({ tokens = [] }) => tokens.flatMap((token) => token.bytes))
  expect(bytes).toEqual([[0], [1], [2, 3], [4], [5, 6], [], []])
  expect(
    (await apply([recognised], ...entries)).segments[0]!.words.every((word) => !('tokens' in word)),
  ).toBe(true)
})

test('handles words of scripts without spaces', async () => {
  const { segments, text } = await apply(
    [segmentOf('我在北京', 0, [...'我在北京']), segmentOf('工作', 3000, [...'工作'])],
    { word: '北京工作', replacement: '上班' },
  )
  expect(segments.map(timed)).toEqual([
    [
      ['我', 0, 500],
      ['在', 500, 1000],
      ['上班', 1000, 2000],
    ],
  ])
  expect(text).toBe('我在上班')
})

test('keeps a line break of a replacement in the text', async () => {
  const { text } = await apply([segmentOf('one new paragraph'), segmentOf('two', 5000)], {
    word: 'new paragraph',
    replacement: '\n\n',
  })
  expect(text).toBe('one\n\ntwo')
})

test('adds no words to segments without words', async () => {
  const { segments } = await apply([{ ...segmentOf('git hub'), words: [] }], {
    word: 'git hub',
    replacement: 'GitHub',
  })
  expect(segments).toMatchObject([{ text: 'GitHub', words: [] }])
})

test('the text is the joined text of the segments, if no replacement adds spaces', async () => {
  const segments = [segmentOf('a b  c'), segmentOf('北', 9), segmentOf('京 b a', 10), segmentOf(' ', 11)]
  const outcome = await apply(segments, { word: 'b', replacement: 'x y' }, { word: 'a', replacement: '' })
  expect(outcome.text).toBe(joinTexts(outcome.segments.map((one) => one.text)))
})
