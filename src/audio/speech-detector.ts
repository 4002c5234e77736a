// Finds speech in a decoded recording, or in audio as it arrives, with constant memory.

import { type Log, silentLog } from '../lib/log.ts'
import { type Result, succeed } from '../lib/result.ts'
import type { PcmFile } from './audio-file.ts'
import { detectWithRetry, type SpeechFailure } from './detect-with-retry.ts'
import { createSpeechHost, type SpeechHost, type SpeechHostOptions } from './speech-host.ts'
import { REQUEST_SAMPLES } from './speech-level.ts'
import type { SpeechMemory } from './speech-messages.ts'
import { createSpanFinder, type SpeechSpan, WIDE } from './speech-spans.ts'
import { createStreamingVad, type StreamingVad } from './streaming-vad.ts'

export type SpeechDetector = {
  /** spans as they are found, half a minute ahead of the consumer; a failure is the last item */
  spans(
    pcm: Pick<PcmFile, 'path' | 'samples'>,
    options: { signal: AbortSignal },
  ): AsyncIterable<Result<SpeechSpan, SpeechFailure>>
  /** detects speech in a stream; the stream ends when the caller pushes no more audio */
  follow(options: { signal: AbortSignal }): StreamingVad
  /** loads the model (a tenth of a second and 75 MB) in advance, so that the first recording does not wait for it */
  warm(): Promise<void>
  /** ends the process to free all memory; the next recording loads the model again */
  unload(): Promise<void>
  close(): Promise<void>
  info(): ReturnType<SpeechHost['info']>
}

export type SpeechDetectorOptions = Omit<SpeechHostOptions, 'log'> & { log?: Log }

/** Silero v6 in its own process, which ends after `idleUnloadMs` without work. */
export function createSpeechDetector({ log = silentLog, ...options }: SpeechDetectorOptions): SpeechDetector {
  const host = createSpeechHost({ ...options, log })
  return {
    spans: (pcm, { signal }) => findSpans(host, pcm, signal),
    follow: ({ signal }) => createStreamingVad((question) => detectWithRetry(host, question, signal)),
    warm: () => host.warm(),
    unload: () => host.unload(),
    close: () => host.close(),
    info: () => host.info(),
  }
}

async function* findSpans(host: SpeechHost, pcm: Pick<PcmFile, 'path' | 'samples'>, signal: AbortSignal) {
  const finder = createSpanFinder(pcm.samples, WIDE)
  let next = pcm.samples > 0 ? detect(host, pcm, { fromSample: 0, memory: null, signal }) : null
  while (next) {
    const result = await next
    if (!result.ok) {
      yield result
      return
    }
    // Request the next range before yielding the spans, so that the detector works while the recogniser does.
    const { endSample, memory, probabilities } = result.value
    next = endSample < pcm.samples ? detect(host, pcm, { fromSample: endSample, memory, signal }) : null
    for (const span of finder.push(probabilities)) yield succeed(span)
  }
  for (const span of finder.finish()) yield succeed(span)
}

type Position = { fromSample: number; memory: SpeechMemory | null; signal: AbortSignal }

async function detect(host: SpeechHost, pcm: Pick<PcmFile, 'path' | 'samples'>, position: Position) {
  const { fromSample, memory, signal } = position
  const toSample = Math.min(pcm.samples, fromSample + REQUEST_SAMPLES)
  const question = { path: pcm.path, samples: pcm.samples, fromSample, toSample, memory }
  const result = await detectWithRetry(host, question, signal)
  return result.ok ? succeed({ ...result.value, endSample: toSample }) : result
}
