// Previews an utterance in progress: transcribes it repeatedly, at a pace that the engine can follow, and separates
// confirmed words from words that may change.

import { type SpeechSpan, speechIn } from '../../audio/speech-spans.ts'
import {
  ABORTED,
  type Engine,
  type EngineFailure,
  SAMPLE_RATE,
  type Segment,
  type WindowRequest,
  type Word,
} from '../../engine/engine.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { sliceWords, wordsIn } from '../segment-edits.ts'
import { createLanguageVote } from '../spoken-languages.ts'
import { MAX_HALVINGS, type TranscribedWindow, transcribeWindow } from '../transcribe-window.ts'
import { joinTexts } from '../transcript.ts'
import { type ReadSamples, windowOf } from '../windows.ts'
import { placeWords } from '../word-times.ts'
import { type ConfirmedPiece, countSettled, createConfirmedText, findConfirmed } from './agreement.ts'

export type PreviewRequest = Pick<WindowRequest, 'model' | 'language' | 'task' | 'prompt' | 'preferences'> & {
  /** final words, in order */
  onConfirmed: (piece: ConfirmedPiece) => void
  /** text after the confirmed words; replaces the previous partial text */
  onPartial: (text: string) => void
}

export type PreviewOptions = {
  /** sample up to which the detector has run */
  followed: number
  /** minimum number of new samples for a preview */
  minNewSamples: number
  /** no callback is called after it aborts */
  signal: AbortSignal
}

/** Samples count from the start of the stream. */
export type LivePreview = {
  /**
   * @param spans the current utterance so far
   * @returns whether a preview ran
   */
  run(spans: SpeechSpan[], options: PreviewOptions): Promise<Result<boolean, EngineFailure>>
  /** The utterance ended there; its unconfirmed words are discarded, since its transcription contains them. */
  end(speechToSample: number): void
}

/** Whisper hallucinates on less. */
const MIN_SPEECH = 0.8 * SAMPLE_RATE
/** Silence after which the last word is complete. */
const SILENCE_AFTER_WORD = 0.3 * SAMPLE_RATE
/** Earlier speech that is transcribed again as context; with 6 s more words were wrong. */
const CONTEXT = 12 * SAMPLE_RATE

const toMs = (samples: number) => (samples * 1000) / SAMPLE_RATE
const toSamples = (ms: number) => Math.round((ms * SAMPLE_RATE) / 1000)

export function createLivePreview(
  { engine, read }: { engine: Pick<Engine, 'transcribe'>; read: ReadSamples },
  request: PreviewRequest,
): LivePreview {
  const vote = createLanguageVote(request.language)
  const confirmed = createConfirmedText()
  /** unconfirmed segments of the last preview, and the sample where it ended */
  let pending: { segments: Segment[]; toSample: number } = { segments: [], toSample: 0 }
  let settledSample = 0
  let partial = ''

  const transcribe = async (
    spans: SpeechSpan[],
    signal: AbortSignal,
  ): Promise<Result<TranscribedWindow, EngineFailure>> => {
    const { model, task, prompt, preferences } = request
    const windowRequest = { model, language: vote.next(), task, prompt, preferences, signal, preview: true }
    const job = { read, engine, place, ...windowRequest }
    const once = () => transcribeWindow(job, windowOf(spans), MAX_HALVINGS)
    const result = await once()
    const died = !result.ok && ['engine_crashed', 'engine_timeout'].includes(result.failure.code)
    return died && !signal.aborted ? once() : result
  }

  /** Places the words after the confirmed ones into the unsettled speech. */
  const place = (segments: Segment[], spans: SpeechSpan[]): Segment[] => {
    const words = wordsIn(segments)
    const { count } = findConfirmed(words, contextIn(spans))
    const fresh = sliceWords(segments, count, words.length)
    return [...sliceWords(segments, 0, count), ...placeWords(fresh, unsettledPart(spans, settledSample))]
  }

  const contextIn = (spans: SpeechSpan[]): Word[] => confirmed.wordsAfter(toMs(spans[0]!.fromSample))

  /** Splits a preview into words already confirmed, newly confirmed and pending. */
  const settle = (result: TranscribedWindow, spans: SpeechSpan[], followed: number) => {
    const words = wordsIn(result.segments)
    const { count: known, contradicts } = findConfirmed(words, contextIn(spans))
    const fresh = words.slice(known)
    const last = spans.at(-1)!
    const lastIsWhole = followed - last.speechToSample >= SILENCE_AFTER_WORD
    const agreed = contradicts ? 0 : countSettled(wordsIn(pending.segments), fresh, toMs(last.speechToSample))
    const settled = Math.min(agreed, lastIsWhole ? fresh.length : fresh.length - 1)
    if (settled > 0) confirm(sliceWords(result.segments, known, known + settled), result)
    pending = {
      segments: sliceWords(result.segments, known + Math.max(0, settled), words.length),
      toSample: last.toSample,
    }
    // The pending word may start where the speech ends so far.
    const confirmedTo = Math.min(toSamples(confirmed.endMs()), last.speechToSample - 1)
    settledSample = Math.max(settledSample, confirmedTo)
  }

  const confirm = (segments: Segment[], result: TranscribedWindow) => {
    const piece = confirmed.add(segments)
    if (!piece) return
    vote.add({ ...result, speechMs: piece.endMs - piece.startMs })
    request.onConfirmed(piece)
  }

  const isNeeded = (span: SpeechSpan): boolean =>
    span.fromSample >= settledSample - CONTEXT || span.speechToSample > settledSample

  const isWorthPreviewing = (spans: SpeechSpan[], minNewSamples: number): boolean => {
    const last = spans.at(-1)!
    const isPreviewed = pending.toSample >= Math.min(last.toSample, last.speechToSample + SILENCE_AFTER_WORD)
    const isNew = last.speechToSample > settledSample && !isPreviewed
    return isNew && speechIn(spans) >= MIN_SPEECH && last.toSample - pending.toSample >= minNewSamples
  }

  return {
    async run(all, { followed, minNewSamples, signal }) {
      const spans = all.slice(all.findIndex(isNeeded))
      if (!isWorthPreviewing(spans, minNewSamples)) return succeed(false)
      const result = await transcribe(spans, signal)
      if (!result.ok) return result
      if (signal.aborted) return fail(ABORTED)
      settle(result.value, spans, followed)
      const text = joinTexts(pending.segments.map((segment) => segment.text))
      if (text !== partial && !signal.aborted) {
        partial = text
        request.onPartial(text)
      }
      return succeed(true)
    },
    end(speechToSample) {
      pending = { segments: [], toSample: 0 }
      partial = ''
      settledSample = speechToSample
    },
  }
}

/** The spans after a sample; a span that contains it is cut there. */
const unsettledPart = (spans: SpeechSpan[], settledSample: number): SpeechSpan[] =>
  spans
    .filter(({ speechToSample }) => speechToSample > settledSample)
    .map((span) => ({
      ...span,
      fromSample: Math.max(span.fromSample, settledSample),
      speechFromSample: Math.max(span.speechFromSample, settledSample),
    }))

/** Time is measured in arrived samples, so that clients that send faster than real time are treated alike. */
export type PreviewThrottle = {
  /** false for a while after a preview that was too slow */
  mayPreview(arrived: number): boolean
  /** samples that must be new before the next preview */
  minNewSamples(): number
  /** records how much had arrived when a preview began and when it ended */
  record(preview: { fromArrived: number; toArrived: number }): 'fast enough' | 'too slow'
}

/** Two previews must agree on a word: a longer interval confirms words late, a shorter one keeps the engine always busy. */
const MIN_NEW = 0.5 * SAMPLE_RATE
/** Leaves engine time for other clients and for the transcription of utterances. */
const NEW_PER_ARRIVED = 1.25
/** Later words do not help the speaker. */
const TOO_SLOW = 1.5 * SAMPLE_RATE
/** Pause before the next try, in which other load on the machine may end. */
const RETRY_AFTER = 30 * SAMPLE_RATE

export function createPreviewThrottle(): PreviewThrottle {
  let arrivedDuringPreview = 0
  let resumesAt = 0
  return {
    mayPreview: (arrived) => arrived >= resumesAt,
    minNewSamples: () => Math.max(MIN_NEW, arrivedDuringPreview * NEW_PER_ARRIVED),
    record({ fromArrived, toArrived }) {
      arrivedDuringPreview = toArrived - fromArrived
      if (arrivedDuringPreview < TOO_SLOW) return 'fast enough'
      arrivedDuringPreview = 0
      resumesAt = toArrived + RETRY_AFTER
      return 'too slow'
    },
  }
}
