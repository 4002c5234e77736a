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
import { createUtteranceAhead } from './live-ahead.ts'
import type { LiveAudio } from './live-audio.ts'
import { createLivePace } from './live-pace.ts'
import {
  canBeWritten,
  cutUtterance,
  nextUtterance,
  silenceSamples,
  type WritesUtterances,
  type WritingFailure,
} from './live-utterance.ts'
import { isWorthHearing, LEAST_NEW, nextWindow, PAUSE, unsettledPart } from './live-window.ts'
import { countSettled, findConfirmed } from './local-agreement.ts'
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
  /** words came too late to be of use: for half a minute there are none before pauses */
  onSlow?: () => void
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

type HearingOptions = {
  /** what was said in the window is final */
  isOver: boolean
  /** how far the stream was followed when it was begun */
  followed: number
  signal: AbortSignal
}

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

  const hear = async (
    window: Window,
    { isOver, signal }: HearingOptions,
  ): Promise<Result<HeardWindow, EngineFailure>> => {
    const { model, task, prompt, preferences, utterances } = request
    const passing = utterances === undefined ? {} : { preview: true }
    const asked = { model, language: vote.next(), task, prompt, preferences, signal, ...passing }
    const job = { read: audio.read, engine, place, ...asked }
    const halvings = isOver ? 0 : utterances ? MAX_HALVINGS : MAX_HALVINGS - 1
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
  const settle = (heard: HeardWindow, { spans }: Window, { isOver, followed }: HearingOptions) => {
    const words = wordsIn(heard.segments)
    const { count: known, contradicts } = findConfirmed(words, contextIn(spans))
    const fresh = words.slice(known)
    const last = spans.at(-1)!
    const lastIsWhole = followed - last.speechToSample >= SILENCE_AFTER_WORD
    const heardToMs = toMs(last.speechToSample)
    const settled = contradicts ? 0 : countSettled(wordsIn(pending.segments), fresh, heardToMs)
    pending = {
      ...heard,
      segments: sliceWords(heard.segments, known, words.length),
      goesOn: isInside(heard.segments, known),
      toSample: last.toSample,
    }
    confirm(isOver ? fresh.length : Math.min(settled, lastIsWhole ? fresh.length : fresh.length - 1))
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
    const isOver = more || end || followed - last.speechToSample >= PAUSE
    const heard = await hearWindow(window, { isOver, followed, signal })
    if (!heard.ok) return heard
    if (followedBy === 'cut') audio.dropBefore(last.toSample)
    else forget(spans)
    return succeed({ coveredSample: more ? last.toSample : followed, more })
  }

  const pace = createLivePace()
  const leastNew = () => (request.utterances ? pace.leastNew() : LEAST_NEW)
  let previewing: { stop: AbortController } | null = null
  let previewEnded: { failure: EngineFailure } | { error: unknown } | null = null

  /** Heard beside what goes on, unless something is. */
  const preview = async (window: Window, followed: number) => {
    const fromArrived = audio.arrivedSamples()
    if (previewing || !pace.mayHear(fromArrived)) return
    const own = { stop: new AbortController() }
    previewing = own
    const stopped = AbortSignal.any([signal, own.stop.signal])
    const heard = await hearWindow(window, { isOver: false, followed, signal: stopped })
    if (previewing === own) previewing = null
    if (own.stop.signal.aborted || signal.aborted) return
    if (!heard.ok) previewEnded = { failure: heard.failure }
    else if (heard.value === 'heard') {
      const found = pace.note({ fromArrived, toArrived: audio.arrivedSamples() })
      if (found === 'too slow') request.onSlow?.()
    }
  }

  const endPreview = () => {
    previewing?.stop.abort()
    previewing = null
  }

  const ahead = request.utterances && createUtteranceAhead(request.utterances, signal)

  /** The same where utterances are written by somebody else: what is heard here is told, and heard again by him. */
  const lookAtUtterance = async (
    end: boolean,
    { begins, ends, silenceMs }: WritesUtterances,
  ): Promise<Result<Look, EngineFailure | WritingFailure>> => {
    if (previewEnded) {
      if ('error' in previewEnded) throw previewEnded.error
      return fail(previewEnded.failure)
    }
    const spans = audio.spans()
    const followed = audio.followedSamples()
    const silence = silenceSamples({ silenceMs })
    const next = await nextUtterance(spans, { read: audio.read, silence })
    if (signal.aborted) return fail(ABORTED)
    if (!next) {
      ahead!.leaveOff()
      forget([])
      return succeed({ coveredSample: followed, more: false })
    }
    const { window, followedBy } = next
    const last = window.spans.at(-1)!
    if (!isSpeaking) begins(window.spans[0]!.speechFromSample)
    isSpeaking = true
    const more = followedBy !== 'nothing'
    const silent = followed - last.speechToSample
    if (!more && !end && silent < silence) {
      if (canBeWritten(silent, silence)) ahead!.begin(await cutUtterance(audio, next, { spans, silence }))
      else ahead!.leaveOff()
      const recent = window.spans.slice(window.spans.findIndex(isNeeded))
      preview(windowOf(recent), followed).catch((error: unknown) => {
        previewEnded = { error }
      })
      return succeed({ coveredSample: followed, more })
    }
    const utterance = await cutUtterance(audio, next, { spans, silence })
    endPreview()
    pending = nothingPending()
    partial = ''
    settledSample = last.speechToSample
    isSpeaking = false
    ends(last.speechToSample)
    const written = await ahead!.take(utterance)
    if (!written.ok) return written
    written.value()
    audio.dropBefore(utterance.nextFromSample)
    return succeed({ coveredSample: more ? last.toSample : followed, more })
  }

  const hearWindow = async (
    window: Window,
    options: HearingOptions,
  ): Promise<Result<'heard' | 'known', EngineFailure>> => {
    const { isOver } = options
    const last = window.spans.at(-1)!
    if (last.speechToSample <= settledSample) return succeed('known')
    const isHeard = pending.toSample >= Math.min(last.toSample, last.speechToSample + SILENCE_AFTER_WORD)
    if (isHeard && isOver) {
      confirm(wordsIn(pending.segments).length)
      settledSample = last.toSample
    } else if (
      !isHeard &&
      (isOver || isWorthHearing(window, { heardSample: pending.toSample, leastNew: leastNew() }))
    ) {
      const heard = await hear(window, options)
      if (!heard.ok) return heard
      if (options.signal.aborted) return fail(ABORTED)
      settle(heard.value, window, options)
      showPartial()
      return succeed('heard')
    }
    showPartial()
    return succeed('known')
  }

  const { utterances } = request
  return {
    look: utterances ? (end) => lookAtUtterance(end, utterances) : look,
    confirmed,
    language: () => vote.result(),
  }
}
