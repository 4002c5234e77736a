// Compares our own model with shout on a few of the 200 utterances; agreement.ts compares them all. Uses the full window, as
// shout does.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeAtLength } from '../support/at-length.ts'
import { differenceOf } from './agreement-report.ts'
import { type Comparison, compare, transcribe } from './comparison.ts'
import { readVocabulary, type Transcriber, throughFullWindow } from './hearers.ts'
import { asShoutReports, type Recording, readTokens } from './recorded-tokens.ts'
import { utterances } from './utterances.ts'
import { type ComparedType, modelIn } from './weights.ts'

/** Allows for a busy machine. */
const PATIENCE_MS = 300_000

/** One clip each, original or at another speed or level; a second of work. */
const SHORT = utterances.filter(({ name }) => /^(human|short)-\d+( at .*)?$/.test(name))

const compareFew = async (transcriber: Transcriber, recording: Recording, count: number) => {
  const tokens = await readTokens(recording)
  const comparisons: Comparison[] = []
  for (const utterance of SHORT.slice(0, count))
    comparisons.push(compare(await transcribe(transcriber, utterance), tokens))
  return { tokens, different: comparisons.filter(({ sameText }) => !sameText) }
}

test('compares the tokens that shout reports', () => {
  const tokens = [50_363, 843, 50_750, 50_750, 1265, 50_892, 50_892, 50_256]
  expect(asShoutReports(tokens)).toEqual([50_363, 843, 50_750, 1265, 50_892])
})

type Sample = { type: ComparedType; recording: Recording; count: number; mayDiffer: number }

const SAMPLES: Sample[] = [
  { type: 'f16', recording: 'shout f16', count: 3, mayDiffer: 0 },
  { type: 'q5_1', recording: 'shout q5_1', count: 5, mayDiffer: 2 },
]

describeAtLength.each(SAMPLES)(
  'our own model with $type compared with whisper.cpp',
  ({ type, recording, count, mayDiffer }) => {
    let transcriber: Transcriber

    beforeAll(async () => {
      transcriber = await throughFullWindow(await modelIn(type), 2)
    }, PATIENCE_MS)

    afterAll(() => transcriber.close())

    test(
      `gives the same text for all of ${count} utterances but ${mayDiffer}, and differs only where shout was unsure`,
      async () => {
        const { tokens, different } = await compareFew(transcriber, recording, count)
        const options = { theirs: tokens, rounding: null, vocabulary: readVocabulary(await modelIn('q5_1')) }
        // prints the differences if there are too many
        expect(different.slice(mayDiffer)).toEqual([])
        expect(different.filter((one) => differenceOf(one, options).reason === 'none')).toEqual([])
      },
      PATIENCE_MS,
    )
  },
)
