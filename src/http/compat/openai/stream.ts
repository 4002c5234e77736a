// A transcription as OpenAI streams it: the text piece by piece, then all of it.
// The pieces put together are the whole text; the dictionary may still change the last event's.

import { uniqueWarnings, type Warning } from '../../../lib/warning.ts'
import { joinTexts } from '../../../transcription/join-text.ts'
import { problemOf } from '../../contract/failure.ts'
import { problemBody } from '../../contract/problem.ts'
import { type HearingStreamOptions, hearingStream } from '../../transcribe/hearing-stream.ts'
import { withWarnings } from '../ignored.ts'
import { openAiErrorBody } from './error.ts'
import { openAiDone, withLogprobs } from './schema.ts'

const END = { data: '[DONE]' }

type Options = HearingStreamOptions & {
  logprobs: boolean
  /** of the request; those of the hearing are in the last event as well */
  warnings: readonly Warning[]
}

export function openAiStream({ logprobs, warnings, ...options }: Options): Promise<Response> {
  let told = ''
  return hearingStream(options, {
    listeners: (push) => ({
      onSegment: (segment) => {
        const joined = joinTexts([told, segment.text])
        if (joined === told) return
        const delta = joined.slice(told.length)
        push({ data: { type: 'transcript.text.delta', delta, ...withLogprobs([segment], logprobs) } })
        told = joined
      },
    }),
    last: (heard) => [
      {
        data: heard.ok
          ? {
              ...openAiDone(heard.value, { logprobs }),
              ...withWarnings(uniqueWarnings(warnings, heard.value.warnings)),
            }
          : openAiErrorBody(problemBody(problemOf(heard.failure))),
      },
      END,
    ],
    broken: (problem) => [{ data: openAiErrorBody(problem) }, END],
    describe: openAiErrorBody,
  })
}
