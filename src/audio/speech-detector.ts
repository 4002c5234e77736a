// Finds where somebody speaks in a decoded recording, or in audio as it arrives, with flat memory.
// Not the process that listens (speech-host.ts) nor the rules for spans (speech-spans.ts).

import { type Log, silentLog } from '../lib/log.ts'
import { type Result, succeed } from '../lib/result.ts'
import { askUntilHeard, type SpeechFailure } from './ask-speech-host.ts'
import type { PcmFile } from './audio-file.ts'
import { createSpeechFollower, type SpeechFollower } from './speech-follower.ts'
import { ASKED_SAMPLES } from './speech-frame.ts'
import { createSpeechHost, type SpeechHost, type SpeechHostOptions } from './speech-host.ts'
import type { SpeechMemory } from './speech-messages.ts'
import { createSpanFinder, type SpeechSpan, WIDE } from './speech-spans.ts'

export type SpeechDetector = {
  /** spans as they are found, half a minute ahead of whoever takes them; a failure is the last item */
  spans(
    pcm: Pick<PcmFile, 'path' | 'samples'>,
    options: { signal: AbortSignal },
  ): AsyncIterable<Result<SpeechSpan, SpeechFailure>>
  /** listens to a stream, which ends when nothing more is handed in */
  follow(options: { signal: AbortSignal }): SpeechFollower
  /** loads the model (a tenth of a second and 75 MB) so that the first recording need not wait for it */
  warm(): Promise<void>
  /** gives all memory back to the system; the next recording loads again */
  unload(): Promise<void>
  close(): Promise<void>
  info(): ReturnType<SpeechHost['info']>
}

export type SpeechDetectorOptions = Omit<SpeechHostOptions, 'log'> & { log?: Log }

/** Silero v6 in a process of its own, which ends after `idleUnloadMs` without work. */
export function createSpeechDetector({ log = silentLog, ...options }: SpeechDetectorOptions): SpeechDetector {
  const host = createSpeechHost({ ...options, log })
  return {
    spans: (pcm, { signal }) => findSpans(host, pcm, signal),
    follow: ({ signal }) => createSpeechFollower((question) => askUntilHeard(host, question, signal)),
    warm: () => host.warm(),
    unload: () => host.unload(),
    close: () => host.close(),
    info: () => host.info(),
  }
}

async function* findSpans(host: SpeechHost, pcm: Pick<PcmFile, 'path' | 'samples'>, signal: AbortSignal) {
  const finder = createSpanFinder(pcm.samples, WIDE)
  let next = pcm.samples > 0 ? listen(host, pcm, { fromSample: 0, memory: null, signal }) : null
  while (next) {
    const heard = await next
    if (!heard.ok) {
      yield heard
      return
    }
    // Asked for before the spans are handed over: the detector works while the recogniser does.
    const { endSample, memory, probabilities } = heard.value
    next = endSample < pcm.samples ? listen(host, pcm, { fromSample: endSample, memory, signal }) : null
    for (const span of finder.push(probabilities)) yield succeed(span)
  }
  for (const span of finder.finish()) yield succeed(span)
}

type Position = { fromSample: number; memory: SpeechMemory | null; signal: AbortSignal }

async function listen(host: SpeechHost, pcm: Pick<PcmFile, 'path' | 'samples'>, position: Position) {
  const { fromSample, memory, signal } = position
  const toSample = Math.min(pcm.samples, fromSample + ASKED_SAMPLES)
  const question = { path: pcm.path, samples: pcm.samples, fromSample, toSample, memory }
  const heard = await askUntilHeard(host, question, signal)
  return heard.ok ? succeed({ ...heard.value, endSample: toSample }) : heard
}
