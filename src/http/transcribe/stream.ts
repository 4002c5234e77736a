// Streams a transcription as server-sent events: segments and progress, then the whole result.

import { problemOf } from '../contract/failure.ts'
import { problemBody } from '../contract/problem.ts'
import { wireSegment } from '../fields/segment.ts'
import { type WireOptions, wireTranscription } from './schema.ts'
import { type TranscriptionStreamOptions, transcriptionStream } from './transcription-stream.ts'

export function transcribeStream(
  options: TranscriptionStreamOptions & { wire: WireOptions },
): Promise<Response> {
  const { wire } = options
  let segments = 0
  return transcriptionStream(options, {
    listeners: (push) => ({
      onProgress: (progress) => push({ event: 'progress', data: { progress } }),
      onSegment: (segment) => push({ event: 'segment', data: wireSegment(segment, segments++, wire) }),
    }),
    last: (heard) => [
      heard.ok
        ? { event: 'done', data: wireTranscription(heard.value, wire) }
        : { event: 'error', data: problemBody(problemOf(heard.failure)) },
    ],
    broken: (problem) => [{ event: 'error', data: problem }],
    describe: (problem) => problem,
  })
}
