// One look at a stream: what is to be heard of it now, what of that is confirmed, what is no longer needed.
// When to look, and how a stream begins and ends, is live-transcription.ts's.

import type { SpeechSpan } from '../audio/speech-spans.ts'
import {
  ABORTED,
  type Engine,
  type EngineFailure,
  SAMPLE_RATE,
  type Segment,
  type WindowRequest,
  type Word,
} from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { type ConfirmedPiece, type ConfirmedText, createConfirmedText } from './confirmed-text.ts'
import { joinTexts } from './join-text.ts'
import { createLanguageVote } from './language-vote.ts'
import type { LiveAudio } from './live-audio.ts'
import {
  cutUtterance,
  nextUtterance,
  silenceSamples,
  type WritesUtterances,
  type WritingFailure,
} from './live-utterance.ts'
import { isWorthHearing, nextWindow, PAUSE, unsettledPart } from './live-window.ts'
import { countAgreed, findConfirmed } from './local-agreement.ts'
import { isInside, sliceWords, wordsIn } from './segment-edits.ts'
import { type HeardWindow, MAX_HALVINGS, transcribeWindow } from './transcribe-window.ts'
import { type Window, windowOf } from './windows.ts'
import { placeWords } from './word-times.ts'

export type ListenerRequest = Pick<
  WindowRequest,
  'model' | 'language' | 'task' | 'prompt' | 'preferences' | 'signal'
> & {
  /** words that never change again, in order */
  onConfirmed?: (piece: ConfirmedPiece) => void
  /** what was heard after the confirmed words and may change; takes the place of what was given before */
  onPartial?: (text: string) => void
  utterances?: WritesUtterances
}

export type Look = {
  /** everything before was heard, or is silence */
  coveredSample: number
  /** speech that was followed already awaits another look */
  more: boolean
}

export type LiveListener = {
  /** @param end nothing more will come: all that is left is heard and confirmed */
  look(end: boolean): Promise<Result<Look, EngineFailure | WritingFailure>>
  confirmed: ConfirmedText
  language(): { language: string | null; languageProbability: number | null }
}

/** A word with so much silence behind it is whole. */
const SILENCE_AFTER_WORD = 0.3 * SAMPLE_RATE
/** So much of what was said before is heard again with what is new, for its sense; with 6 s more words were wrong. */
const CONTEXT = 12 * SAMPLE_RATE
/** After so much silence what was said before is another matter. */
const LONGEST_SILENCE = 3 * SAMPLE_RATE
/** The quiet that Whisper wants before a word, and speech that is still too short for the detector to believe in. */
const BEFORE_SPEECH = 2 * SAMPLE_RATE

/** What was heard last and is not confirmed. */
type Pending = HeardWindow & {
  /** its first word is in one segment with the last confirmed one */
  goesOn: boolean
  /** how far the hearing reached */
  toSample: number
}

const nothingPending = (): Pending => ({
  segments: [],
  goesOn: false,
  language: '',
  languageProbability: null,
  toSample: 0,
})

const toMs = (samples: number) => (samples * 1000) / SAMPLE_RATE
const toSamples = (ms: number) => Math.round((ms * SAMPLE_RATE) / 1000)

export function createLiveListener(
  { engine, audio }: { engine: Pick<Engine, 'transcribe'>; audio: LiveAudio },
  request: ListenerRequest,
): LiveListener {
  const { signal } = request
  const vote = createLanguageVote(request.language)
  const confirmed = createConfirmedText()
  let pending: Pending = nothingPending()
  let isSpeaking = false
  let settledSample = 0
  let partial = ''

  const hear = async (window: Window, isOver: boolean): Promise<Result<HeardWindow, EngineFailure>> => {
    const { model, task, prompt, preferences } = request
    const asked = { model, language: vote.next(), task, prompt, preferences, signal }
    const job = { read: audio.read, engine, place, ...asked }
    const halvings = isOver ? 0 : MAX_HALVINGS - 1
    const heard = await transcribeWindow(job, window, halvings)
    const died = !heard.ok && ['engine_crashed', 'engine_timeout'].includes(heard.failure.code)
    return died && !signal.aborted ? transcribeWindow(job, window, halvings) : heard
  }

  /** The words that follow the confirmed ones go into the speech that is not settled, whatever came before. */
  const place = (segments: Segment[], spans: SpeechSpan[]): Segment[] => {
    const words = wordsIn(segments)
    const { count } = findConfirmed(words, contextIn(spans))
    const known = sliceWords(segments, 0, count)
    const fresh = placeWords(sliceWords(segments, count, words.length), unsettledPart(spans, settledSample))
    const [last, first] = [known.at(-1), fresh[0]]
    if (!last || !first || !isInside(segments, count)) return [...known, ...fresh]
    const shared = {
      ...segments[known.length - 1]!,
      words: [...last.words, ...first.words],
      endMs: first.endMs,
    }
    return [...known.slice(0, -1), shared, ...fresh.slice(1)]
  }

  const contextIn = (spans: SpeechSpan[]): Word[] => confirmed.wordsAfter(toMs(spans[0]!.fromSample))

  /** The first words of what is pending become confirmed. */
  const confirm = (count: number) => {
    if (count <= 0) return
    const { segments } = pending
    const piece = confirmed.add(sliceWords(segments, 0, count), pending)
    pending.segments = sliceWords(segments, count, wordsIn(segments).length)
    pending.goesOn = isInside(segments, count)
    if (!piece) return
    vote.add({ ...pending, speechMs: piece.endMs - piece.startMs })
    request.onConfirmed?.(piece)
  }

  const showPartial = () => {
    const text = joinTexts(pending.segments.map((segment) => segment.text))
    if (text === partial || signal.aborted) return
    partial = text
    request.onPartial?.(text)
  }

  /** Takes over what was heard: which of it is known, which is agreed on, which may still change. */
  const settle = (heard: HeardWindow, { spans }: Window, isOver: boolean) => {
    const words = wordsIn(heard.segments)
    const { count: known, contradicts } = findConfirmed(words, contextIn(spans))
    const fresh = words.slice(known)
    const last = spans.at(-1)!
    const lastIsWhole = audio.followedSamples() - last.speechToSample >= SILENCE_AFTER_WORD
    const agreed = contradicts ? 0 : countAgreed(wordsIn(pending.segments), fresh)
    pending = {
      ...heard,
      segments: sliceWords(heard.segments, known, words.length),
      goesOn: isInside(heard.segments, known),
      toSample: last.toSample,
    }
    confirm(isOver ? fresh.length : Math.min(agreed, lastIsWhole ? fresh.length : fresh.length - 1))
    if (isOver) settledSample = last.toSample
    // The word that is held back may be said to begin where the speech ends so far.
    else
      settledSample = Math.max(settledSample, Math.min(toSamples(confirmed.endMs()), last.speechToSample - 1))
  }

  const isNeeded = (span: SpeechSpan): boolean =>
    span.fromSample >= settledSample - CONTEXT || span.speechToSample > settledSample

  const forget = (spans: SpeechSpan[]) => {
    const followed = audio.followedSamples()
    const speaks = spans.some((span) => span.speechToSample > settledSample)
    if (!speaks && followed - settledSample > LONGEST_SILENCE)
      return audio.dropBefore(followed - BEFORE_SPEECH)
    const needed = spans.find(isNeeded)
    if (needed) audio.dropBefore(needed.fromSample)
  }

  const look = async (end: boolean): Promise<Result<Look, EngineFailure>> => {
    const spans = audio.spans()
    const next = await nextWindow(spans, { settledSample, read: audio.read })
    if (signal.aborted) return fail(ABORTED)
    const followed = audio.followedSamples()
    if (!next) {
      forget(spans)
      return succeed({ coveredSample: followed, more: false })
    }
    const { window, followedBy } = next
    const last = window.spans.at(-1)!
    const more = followedBy !== 'nothing'
    const heard = await hearWindow(window, more || end || followed - last.speechToSample >= PAUSE)
    if (!heard.ok) return heard
    if (followedBy === 'cut') audio.dropBefore(last.toSample)
    else forget(spans)
    return succeed({ coveredSample: more ? last.toSample : followed, more })
  }

  /** The same where utterances are written by somebody else: what is heard here is told, and heard again by him. */
  const lookAtUtterance = async (
    end: boolean,
    { begins, write, silenceMs }: WritesUtterances,
  ): Promise<Result<Look, EngineFailure | WritingFailure>> => {
    const spans = audio.spans()
    const silence = silenceSamples({ silenceMs })
    const next = await nextUtterance(spans, { read: audio.read, silence })
    if (signal.aborted) return fail(ABORTED)
    const followed = audio.followedSamples()
    if (!next) {
      forget([])
      return succeed({ coveredSample: followed, more: false })
    }
    const { window, followedBy } = next
    const last = window.spans.at(-1)!
    if (!isSpeaking) begins(window.spans[0]!.speechFromSample)
    isSpeaking = true
    const more = followedBy !== 'nothing'
    if (!more && !end && followed - last.speechToSample < silence) {
      const recent = window.spans.slice(window.spans.findIndex(isNeeded))
      const heard = await hearWindow(windowOf(recent), false)
      return heard.ok ? succeed({ coveredSample: followed, more }) : heard
    }
    const utterance = await cutUtterance(audio, next, { spans, silence })
    pending = nothingPending()
    partial = ''
    settledSample = last.speechToSample
    isSpeaking = false
    const written = await write(utterance)
    audio.dropBefore(utterance.nextFromSample)
    return written.ok ? succeed({ coveredSample: more ? last.toSample : followed, more }) : written
  }

  /** @param isOver what was said in the window is final */
  const hearWindow = async (window: Window, isOver: boolean): Promise<Result<null, EngineFailure>> => {
    const last = window.spans.at(-1)!
    if (last.speechToSample <= settledSample) return succeed(null)
    const isHeard = pending.toSample >= Math.min(last.toSample, last.speechToSample + SILENCE_AFTER_WORD)
    if (isHeard && isOver) {
      confirm(wordsIn(pending.segments).length)
      settledSample = last.toSample
    } else if (!isHeard && (isOver || isWorthHearing(window, pending.toSample))) {
      const heard = await hear(window, isOver)
      if (!heard.ok) return heard
      if (signal.aborted) return fail(ABORTED)
      settle(heard.value, window, isOver)
    }
    showPartial()
    return succeed(null)
  }

  const { utterances } = request
  return {
    look: utterances ? (end) => lookAtUtterance(end, utterances) : look,
    confirmed,
    language: () => vote.result(),
  }
}
