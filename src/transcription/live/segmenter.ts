// One step over a stream: previews the current speech, detects the end of an utterance and has it transcribed, ahead of
// time where the speaker pauses.

import type { SpeechSpan } from '../../audio/speech-spans.ts'
import { ABORTED, type Engine, type EngineFailure, SAMPLE_RATE } from '../../engine/engine.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import type { LiveAudio } from './audio.ts'
import { createLivePreview, createPreviewThrottle, type PreviewRequest } from './preview.ts'
import {
  canBeWritten,
  cutUtterance,
  nextUtterance,
  silenceSamples,
  type Utterance,
  type UtteranceWriter,
  type WritingFailure,
} from './utterance.ts'

type Written = Promise<Result<() => void, WritingFailure>>

export type SpeculativeFinal = {
  /** starts a transcription and aborts any other; does nothing if this utterance is already in progress */
  begin(utterance: Utterance): void
  /** the user continued to speak */
  discard(): void
  /** returns the speculative result, or starts the transcription now; it is no longer discarded */
  take(utterance: Utterance): Written
}

function createSpeculativeFinal(
  { write }: Pick<UtteranceWriter, 'write'>,
  signal: AbortSignal,
): SpeculativeFinal {
  let begun: { utterance: Utterance; stop: AbortController; written: Written } | null = null

  const discard = () => {
    begun?.stop.abort()
    begun = null
  }

  const begin = (utterance: Utterance) => {
    if (begun && isSame(begun.utterance, utterance)) return
    discard()
    const stop = new AbortController()
    const written = write(utterance, AbortSignal.any([signal, stop.signal]))
    // After discard() nothing awaits it.
    written.catch(() => {})
    begun = { utterance, stop, written }
  }

  return {
    begin,
    discard,
    take(utterance) {
      begin(utterance)
      const { written } = begun!
      begun = null
      return written
    },
  }
}

const isSame = (one: Utterance, other: Utterance): boolean =>
  one.fromSample === other.fromSample && one.toSample === other.toSample

export type SegmenterRequest = PreviewRequest & {
  signal: AbortSignal
  /** previews took too long and are off for 30 s; text then appears only at pauses */
  onSlow: () => void
  utterances: UtteranceWriter
}

export type SegmenterStep = {
  /** everything before was handled: transcribed, silent, or part of the current utterance */
  coveredSample: number
  /** detected speech is left for another step */
  more: boolean
}

export type Segmenter = {
  /** @param end no more input: transcribes the rest */
  step(end: boolean): Promise<Result<SegmenterStep, EngineFailure | WritingFailure>>
}

/** Silence after which earlier audio is dropped. */
const LONGEST_SILENCE = 3 * SAMPLE_RATE
/** Covers the silence Whisper needs before a word, and speech still too short for the detector. */
const BEFORE_SPEECH = 2 * SAMPLE_RATE

export function createSegmenter(
  { engine, audio }: { engine: Pick<Engine, 'transcribe'>; audio: LiveAudio },
  request: SegmenterRequest,
): Segmenter {
  const { signal, utterances } = request
  const silence = silenceSamples(utterances)
  const preview = createLivePreview({ engine, read: audio.read }, request)
  const speculative = createSpeculativeFinal(utterances, signal)
  const throttle = createPreviewThrottle()
  let previewing: AbortController | null = null
  let previewEnded: { failure: EngineFailure } | { error: unknown } | null = null
  let isSpeaking = false
  let speechUntil = 0

  /** Runs concurrently with the steps, one preview at a time. */
  const previewConcurrently = async (spans: SpeechSpan[], followed: number) => {
    const fromArrived = audio.arrivedSamples()
    if (previewing || !throttle.mayPreview(fromArrived)) return
    const own = new AbortController()
    previewing = own
    const stopped = AbortSignal.any([signal, own.signal])
    const result = await preview.run(spans, {
      followed,
      minNewSamples: throttle.minNewSamples(),
      signal: stopped,
    })
    if (previewing === own) previewing = null
    if (stopped.aborted) return
    if (!result.ok) previewEnded = { failure: result.failure }
    else if (result.value) {
      const found = throttle.record({ fromArrived, toArrived: audio.arrivedSamples() })
      if (found === 'too slow') request.onSlow()
    }
  }

  const endPreview = (speechToSample: number) => {
    previewing?.abort()
    previewing = null
    preview.end(speechToSample)
  }

  const dropSilence = (followed: number) => {
    if (followed - speechUntil > LONGEST_SILENCE) audio.dropBefore(followed - BEFORE_SPEECH)
  }

  return {
    async step(end) {
      if (previewEnded) {
        if ('error' in previewEnded) throw previewEnded.error
        return fail(previewEnded.failure)
      }
      const spans = audio.spans()
      const followed = audio.followedSamples()
      const next = await nextUtterance(spans, { read: audio.read, silence })
      if (signal.aborted) return fail(ABORTED)
      if (!next) {
        speculative.discard()
        dropSilence(followed)
        return succeed({ coveredSample: followed, more: false })
      }
      const { window, followedBy } = next
      const last = window.spans.at(-1)!
      if (!isSpeaking) utterances.begins(window.spans[0]!.speechFromSample)
      isSpeaking = true
      const more = followedBy !== 'nothing'
      const silent = followed - last.speechToSample
      if (!more && !end && silent < silence) {
        if (canBeWritten(silent, silence))
          speculative.begin(await cutUtterance(audio, next, { spans, silence }))
        else speculative.discard()
        previewConcurrently(window.spans, followed).catch((error: unknown) => {
          previewEnded = { error }
        })
        return succeed({ coveredSample: followed, more })
      }
      const utterance = await cutUtterance(audio, next, { spans, silence })
      endPreview(last.speechToSample)
      speechUntil = last.speechToSample
      isSpeaking = false
      utterances.ends(last.speechToSample)
      const written = await speculative.take(utterance)
      if (!written.ok) return written
      written.value()
      audio.dropBefore(utterance.nextFromSample)
      return succeed({ coveredSample: more ? last.toSample : followed, more })
    },
  }
}
