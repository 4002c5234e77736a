// Transcribes a recording: decode, detect speech, cut into windows, recognise, join. Stores and queues nothing.

import type { AudioKind, PcmFile } from '../audio/audio-file.ts'
import type { AudioDecoder, DecodeFailure } from '../audio/decode.ts'
import { readPcm } from '../audio/pcm.ts'
import type { SpeechDetector } from '../audio/speech-detector.ts'
import type { SpeechFailure } from '../audio/speech-host.ts'
import type { SpeechSpan } from '../audio/speech-spans.ts'
import {
  type Engine,
  type EngineFailure,
  SAMPLE_RATE,
  type Segment,
  type WindowRequest,
} from '../engine/engine.ts'
import { type Log, silentLog } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { cutPointIn } from './transcribe-window.ts'
import { joinTexts, type Transcript } from './transcript.ts'
import { planWindows, type Window } from './windows.ts'
import { createWindowsInOrder } from './windows-in-order.ts'

export type TranscriptionFailure = DecodeFailure | SpeechFailure | EngineFailure

type Excerpt = { fromMs: number; toMs: number }

export type TranscriptionRequest = Pick<
  WindowRequest,
  'model' | 'language' | 'task' | 'prompt' | 'preferences' | 'tokens' | 'signal'
> & {
  /** false: transcribes everything, silence included */
  detectSpeech?: boolean
  /** transcribes this part only; times still count from the start of the recording */
  excerpt?: Excerpt
  path: string
  kind: AudioKind
  /** from 0 to 1, increasing */
  onProgress?: (fraction: number) => void
  /** called for each segment in order, on the recording's clock, once its window is done */
  onSegment?: (segment: Segment) => void
  onDecoded?: (decoded: Pick<PcmFile, 'durationMs' | 'decodeMs'>) => void
}

export type Transcriber = {
  transcribe(request: TranscriptionRequest): Promise<Result<Transcript, TranscriptionFailure>>
}

export type TranscriberDeps = {
  decoder: Pick<AudioDecoder, 'decode'>
  detector: Pick<SpeechDetector, 'spans'>
  engine: Pick<Engine, 'transcribe' | 'info'>
  log?: Log
}

/** A tenth of a second: no word is shorter, and whisper.cpp once read past the end of 200 samples. */
const SHORTEST_RECORDING_SAMPLES = SAMPLE_RATE / 10

export function createTranscriber(deps: TranscriberDeps): Transcriber {
  return {
    async transcribe(request) {
      const { path, kind, signal } = request
      const decoded = await deps.decoder.decode({ path, kind, signal })
      if (!decoded.ok) return decoded
      const pcm = decoded.value
      try {
        request.onDecoded?.({ durationMs: pcm.durationMs, decodeMs: pcm.decodeMs })
        return await transcribePcm(deps, request, pcm)
      } finally {
        await pcm.dispose()
      }
    },
  }
}

async function transcribePcm(
  { detector, engine, log = silentLog }: TranscriberDeps,
  request: TranscriptionRequest,
  pcm: PcmFile,
): Promise<Result<Transcript, TranscriptionFailure>> {
  const { model, language, task, prompt, preferences, tokens, signal, onSegment } = request
  const startedAt = performance.now()
  const progress = createProgress(pcm.samples, request.onProgress)
  const detection = { failure: null as SpeechFailure | null }
  const segments: Segment[] = []
  const models = new Set<string>()

  const read = (fromSample: number, toSample: number) => readPcm(pcm, fromSample, toSample)
  const found = request.detectSpeech === false ? everything(pcm) : spansOf(detector, pcm, signal)
  const spans = untilFailure(request.excerpt ? within(found, request.excerpt) : found, detection)
  const windows = createWindowsInOrder({
    ...{ read, engine, model, language, task, prompt, preferences, tokens, signal },
    spansAreSpeech: request.detectSpeech !== false,
    onTranscribed: (result) => {
      for (const one of result) models.add(one.model ?? model.name)
      for (const segment of result.flatMap((one) => one.segments)) {
        segments.push(segment)
        onSegment?.(segment)
      }
      log.debug({ languages: result.length }, 'window transcribed')
    },
  })
  let result: Result<null, EngineFailure>
  try {
    for await (const window of planWindows(spans, cutPointIn(read))) {
      if (detection.failure || signal.aborted) break
      await windows.add(window, progress.within(window))
    }
  } finally {
    result = await windows.end()
  }
  if (detection.failure && !signal.aborted) return fail(detection.failure)
  if (!result.ok) return result
  progress.finish()

  return succeed({
    text: joinTexts(segments.map(({ text }) => text)),
    segments,
    ...windows.language(),
    model: models.size === 0 ? model.name : [...models].join(', '),
    durationMs: pcm.durationMs,
    warnings: pcm.warnings,
    processingMs: { decode: pcm.decodeMs, transcribe: Math.round(performance.now() - startedAt) },
  })
}

async function* spansOf(detector: Pick<SpeechDetector, 'spans'>, pcm: PcmFile, signal: AbortSignal) {
  if (pcm.samples >= SHORTEST_RECORDING_SAMPLES) yield* detector.spans(pcm, { signal })
}

/** One span over the whole recording. */
async function* everything({ samples }: PcmFile): AsyncGenerator<Result<SpeechSpan, SpeechFailure>> {
  if (samples < SHORTEST_RECORDING_SAMPLES) return
  const whole = { fromSample: 0, toSample: samples, speechFromSample: 0, speechToSample: samples }
  yield succeed({ ...whole, probability: 1 })
}

/** The parts of the spans inside an excerpt. */
async function* within(
  spans: AsyncIterable<Result<SpeechSpan, SpeechFailure>>,
  { fromMs, toMs }: Excerpt,
): AsyncGenerator<Result<SpeechSpan, SpeechFailure>> {
  const [from, to] = [fromMs, toMs].map((ms) => (ms / 1000) * SAMPLE_RATE) as [number, number]
  const inside = (sample: number) => Math.min(Math.max(sample, from), to)
  for await (const span of spans) {
    if (!span.ok) yield span
    else {
      if (span.value.fromSample >= to) return
      const fromSample = inside(span.value.fromSample)
      const toSample = inside(span.value.toSample)
      const speechFromSample = inside(span.value.speechFromSample)
      const speechToSample = inside(span.value.speechToSample)
      if (toSample - fromSample < SHORTEST_RECORDING_SAMPLES) continue
      yield succeed({ ...span.value, fromSample, toSample, speechFromSample, speechToSample })
    }
  }
}

/** Yields the spans; a failure ends them and is stored in `outcome`. */
async function* untilFailure(
  spans: AsyncIterable<Result<SpeechSpan, SpeechFailure>>,
  outcome: { failure: SpeechFailure | null },
) {
  for await (const span of spans) {
    if (!span.ok) {
      outcome.failure = span.failure
      return
    }
    yield span.value
  }
}

/** Progress of the recording from progress of its windows; each window also accounts for the silence before it. */
function createProgress(samples: number, onProgress: ((fraction: number) => void) | undefined) {
  let begun = 0
  let done = 0
  let reached = 0
  const report = (fraction: number) => {
    if (fraction <= reached) return
    reached = Math.min(1, fraction)
    onProgress?.(reached)
  }
  return {
    within({ ranges }: Window) {
      const share = ranges.at(-1)!.toSample - begun
      begun += share
      let own = 0
      return (fraction: number) => {
        if (fraction <= own) return
        done += (fraction - own) * share
        own = fraction
        report(done / samples)
      }
    },
    finish: () => report(1),
  }
}
