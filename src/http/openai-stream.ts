// A transcription as OpenAI streams it: the text piece by piece, then all of it.
// The pieces put together are the whole text; the dictionary may still change the last event's.

import { joinTexts } from '../transcription/join-text.ts'
import { problemOf } from './failure.ts'
import { type HearingStreamOptions, hearingStream } from './hearing-stream.ts'
import { openAiErrorBody } from './openai-error.ts'
import { openAiDone } from './openai-schema.ts'
import { problemBody } from './problem.ts'

const END = { data: '[DONE]' }

export function openAiStream(options: HearingStreamOptions): Promise<Response> {
  let told = ''
  return hearingStream(options, {
    listeners: (push) => ({
      onSegment: ({ text }) => {
        const joined = joinTexts([told, text])
        if (joined === told) return
        push({ data: { type: 'transcript.text.delta', delta: joined.slice(told.length) } })
        told = joined
      },
    }),
    last: (heard) => [
      { data: heard.ok ? openAiDone(heard.value) : openAiErrorBody(problemBody(problemOf(heard.failure))) },
      END,
    ],
    broken: (problem) => [{ data: openAiErrorBody(problem) }, END],
    describe: openAiErrorBody,
  })
}
