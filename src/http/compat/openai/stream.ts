// Streams a transcription in OpenAI's format. Only the text of the last event includes changes by the dictionary.

import { uniqueWarnings, type Warning } from '../../../lib/warning.ts'
import { joinTexts } from '../../../transcription/join-text.ts'
import { problemOf } from '../../contract/failure.ts'
import { problemBody } from '../../contract/problem.ts'
import {
  type TranscriptionStreamOptions,
  transcriptionStream,
} from '../../transcribe/transcription-stream.ts'
import { withWarnings } from '../ignored-fields.ts'
import { openAiErrorBody } from './error.ts'
import { openAiDone, withLogprobs } from './schema.ts'

const END = { data: '[DONE]' }

type Options = TranscriptionStreamOptions & {
  logprobs: boolean
  /** warnings about the request; the last event adds those of the transcription */
  warnings: readonly Warning[]
}

export function openAiStream({ logprobs, warnings, ...options }: Options): Promise<Response> {
  let sent = ''
  return transcriptionStream(options, {
    listeners: (push) => ({
      onSegment: (segment) => {
        const joined = joinTexts([sent, segment.text])
        if (joined === sent) return
        const delta = joined.slice(sent.length)
        push({ data: { type: 'transcript.text.delta', delta, ...withLogprobs([segment], logprobs) } })
        sent = joined
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
