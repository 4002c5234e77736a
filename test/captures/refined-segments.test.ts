// Refined texts as captions: the segment of each part.

import { expect, test } from 'bun:test'
import type { Capture } from '../../src/captures/capture.ts'
import { refinedSegments } from '../../src/captures/refined-segments.ts'

/** Each word takes 100 ms, each segment begins at a whole second. */
const segmentOf = (text: string, index: number): Capture['segments'][number] => ({
  ...{ text, startMs: index * 1000, endMs: index * 1000 + 900, avgLogprob: -0.2, noSpeechProb: 0 },
  words: text.split(' ').map((word, at) => ({
    ...{ word, probability: 0.9, startMs: index * 1000 + at * 100, endMs: index * 1000 + at * 100 + 90 },
  })),
  language: 'en',
})
const captionsOf = async (said: string[], refined: string | null) => {
  const segments = said.map(segmentOf)
  const found = await refinedSegments({ segments, transcriptRefined: refined } as Capture)
  return found.map(({ text, startMs }) => [text, startMs])
}

test.each<[string, string[], string | null, [string, number][]]>([
  [
    'hesitations that were left out',
    ['um so we meet on', 'on monday um at three'],
    'So we meet on Monday at 3.',
    [
      ['So we meet on', 0],
      ['Monday at 3.', 1000],
    ],
  ],
  [
    'a segment of which nothing is left',
    ['hello', 'um', 'good bye'],
    'Hello. Good bye.',
    [
      ['Hello.', 0],
      ['Good bye.', 2000],
    ],
  ],
  [
    'a quotation that begins with a segment',
    ['she said', 'come here'],
    'She said “Come here.”',
    [
      ['She said', 0],
      ['“Come here.”', 1000],
    ],
  ],
  [
    'a list',
    ['milk', 'bread'],
    '- Milk\n- Bread',
    [
      ['- Milk', 0],
      ['- Bread', 1000],
    ],
  ],
  [
    'Chinese',
    ['今天下雨', '明天晴'],
    '今天下雨，明天晴。',
    [
      ['今天下雨，', 0],
      ['明天晴。', 1000],
    ],
  ],
  [
    'nothing that was refined',
    ['one', 'two'],
    null,
    [
      ['one', 0],
      ['two', 1000],
    ],
  ],
  [
    'a text of its own',
    ['one two', 'three four'],
    'Etwas ganz anderes hier',
    [
      ['Etwas ganz', 0],
      ['anderes hier', 1000],
    ],
  ],
])('captions of %s', async (_what, said, refined, expected) => {
  expect(await captionsOf(said, refined)).toEqual(expected)
})

test('keeps the times of unchanged words', async () => {
  const segments = ['um so we', 'meet'].map(segmentOf)
  const [first] = await refinedSegments({ segments, transcriptRefined: 'So we meet.' } as Capture)
  expect(first!.words.map(({ word, startMs }) => [word, startMs])).toEqual([
    ['So', 100],
    ['we', 200],
  ])
})

test('handles a recording of many hours quickly', async () => {
  const said = Array.from({ length: 3000 }, (_, at) => `word${at} um and another one follows`)
  const refined = said.map((text) => text.replace(' um', '')).join('. ')
  const found = await refinedSegments({
    segments: said.map(segmentOf),
    transcriptRefined: refined,
  } as Capture)
  expect(found).toHaveLength(3000)
  expect(found[2999]!.text).toBe('word2999 and another one follows')
}, 180_000)
