// Requirements of OpenAI's typed clients on responses.

import { expect, test } from 'bun:test'
import type { Segment } from '../../../../src/engine/engine.ts'
import { openAiVerbose } from '../../../../src/http/compat/openai/schema.ts'
import type { Transcript } from '../../../../src/transcription/transcript.ts'

test('uses numbers for values that the engine does not provide, because typed clients reject null', () => {
  const bareSegment: Segment = {
    ...{ startMs: 0, endMs: 1000, text: 'Hello.', words: [] },
    ...{ avgLogprob: null, noSpeechProb: null },
  }
  const transcript: Transcript = {
    ...{
      text: 'Hello.',
      segments: [bareSegment],
      language: 'en',
      languageProbability: null,
      model: 'tiny.en',
    },
    ...{ durationMs: 1000, warnings: [], processingMs: { decode: 0, transcribe: 0 } },
  }
  const verbose = openAiVerbose(transcript, { task: 'transcribe', segments: true, words: false })
  expect(verbose.segments).toMatchObject([{ avg_logprob: 0, no_speech_prob: 0, seek: 0, temperature: 0 }])
})
