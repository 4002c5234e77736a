// Finds speech in a decoded recording, or in audio as it arrives, with constant memory.

import { type Log, silentLog } from '../lib/log.ts'
import { type Result, succeed } from '../lib/result.ts'
import type { PcmFile } from './audio-file.ts'
import {
  createSpeechHost,
  type SpeechFailure,
  type SpeechHost,
  type SpeechHostOptions,
} from './speech-host.ts'
import { REQUEST_SAMPLES } from './speech-level.ts'
import type { SpeechMemory } from './speech-messages.ts'
import { createSpanFinder, type SpeechSpan, WIDE } from './speech-spans.ts'
import { createStreamingVad, type StreamingVad } from './streaming-vad.ts'

export type SpeechDetector = Omit<SpeechHost, 'detect'> & {
  /** spans as they are found, half a minute ahead of the consumer; a failure is the last item */
  spans(
    pcm: Pick<PcmFile, 'path' | 'samples'>,
    options: { signal: AbortSignal },
  ): AsyncIterable<Result<SpeechSpan, SpeechFailure>>
  /** detects speech in a stream; the stream ends when the caller pushes no more audio */
  follow(options: { signal: AbortSignal }): StreamingVad
}

export type SpeechDetectorOptions = Omit<SpeechHostOptions, 'log'> & { log?: Log }

/** Silero v6 in its own process, which ends after `idleUnloadMs` without work. */
export function createSpeechDetector({ log = silentLog, ...options }: SpeechDetectorOptions): SpeechDetector {
  const { detect, ...host } = createSpeechHost({ ...options, log })
  return {
    ...host,
    spans: (pcm, { signal }) => findSpans(detect, pcm, signal),
    follow: ({ signal }) => createStreamingVad((question) => detect(question, signal)),
  }
}

type Detect = SpeechHost['detect']

async function* findSpans(detect: Detect, pcm: Pick<PcmFile, 'path' | 'samples'>, signal: AbortSignal) {
  const finder = createSpanFinder(pcm.samples, WIDE)
  let next = pcm.samples > 0 ? detectFrom(detect, pcm, { fromSample: 0, memory: null, signal }) : null
  while (next) {
    const result = await next
    if (!result.ok) {
      yield result
      return
    }
    // Request the next range before yielding the spans, so that the detector works while the recogniser does.
    const { endSample, memory, probabilities } = result.value
    next = endSample < pcm.samples ? detectFrom(detect, pcm, { fromSample: endSample, memory, signal }) : null
    for (const span of finder.push(probabilities)) yield succeed(span)
  }
  for (const span of finder.finish()) yield succeed(span)
}

type Position = { fromSample: number; memory: SpeechMemory | null; signal: AbortSignal }

async function detectFrom(detect: Detect, pcm: Pick<PcmFile, 'path' | 'samples'>, position: Position) {
  const { fromSample, memory, signal } = position
  const toSample = Math.min(pcm.samples, fromSample + REQUEST_SAMPLES)
  const question = { path: pcm.path, samples: pcm.samples, fromSample, toSample, memory }
  const result = await detect(question, signal)
  return result.ok ? succeed({ ...result.value, endSample: toSample }) : result
}
