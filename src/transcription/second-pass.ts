// Corrects the words of a first transcription by a second one of the same speech, which had the preceding text as context.

import type { Engine, EngineFailure, Segment, SpokenLanguage } from '../engine/engine.ts'
import { align, similarity } from '../lib/alignment.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { capitalizeFirst, lowerCase } from '../text/letter-case.ts'
import type { TextRange } from '../text/text-tokens.ts'
import { hasLoop, type WordPart, wordPartsOf } from './repetition.ts'
import { editSegment, type Rewrite } from './segment-edits.ts'
import { splitByLanguage } from './spoken-languages.ts'
import {
  spokenSegments,
  type TranscribedWindow,
  transcribeWindow,
  type WindowJob,
} from './transcribe-window.ts'
import { joinTexts } from './transcript.ts'
import { readWindow, type Window, windowLength } from './windows.ts'

/** A longer difference is not a recognition error but an omission, a hallucination or an echo of the preceding text. */
const MAX_WORDS = 5
/** "an other" and "another" are two words and one. */
const MAX_MORE_OR_FEWER = 2
/** Similarity by edit distance: "dominion's captain" and "dominions kept him" pass, "just be clear" and "the speaker" do not. */
const ALIKE = 0.5

/**
 * Replaces words of the segments by the second pass's. Adds and removes nothing: with the preceding text as context,
 * Whisper spells names better and makes fewer errors, but it also omits what it takes for already written, and repeats
 * its context. Sentences, times and probabilities stay the first pass's: two passes that differ make no word more
 * certain.
 */
export function correctWords(segments: Segment[], second: Segment[], language: string): Segment[] {
  if (hasLoop(second)) return segments
  const secondText = joinTexts(second.map(({ text }) => text))
  const trimmed = segments.map((segment) => ({ ...segment, text: segment.text.trim() }))
  const differences = differencesOf(
    wordPartsOf(trimmed, language),
    wordPartsOf([{ text: secondText }], language),
  )
  return trimmed.map((segment, index) => {
    const rewrites = differences
      .filter(({ was }) => was[0]!.segment === index)
      .map(({ was, is }) =>
        rewriteOf({ text: segment.text, ...rangeOf(was) }, { text: secondText, ...rangeOf(is) }, language),
      )
      .filter((rewrite) => rewrite !== null)
    return rewrites.length === 0 ? segments[index]! : (editSegment(segment, rewrites) ?? segments[index]!)
  })
}

type Difference = { was: WordPart[]; is: WordPart[] }

/** Where the passes differ: between words that they share, or at the beginning or end. */
function differencesOf(first: WordPart[], second: WordPart[]): Difference[] {
  const { ofInput } = align(
    first.map(({ folded }) => folded),
    second.map(({ folded }) => folded),
  )
  const differences: Difference[] = []
  let [from, fromSecond] = [0, 0]
  for (let at = 0; at <= first.length; at++) {
    const partner = at < first.length ? ofInput[at]! : second.length
    if (partner < 0) continue
    const difference = { was: first.slice(from, at), is: second.slice(fromSecond, partner) }
    const isBetween = from > 0 && at < first.length
    if (isOfOnePlace(difference) && (isBetween || isAlike(difference))) differences.push(difference)
    from = at + 1
    fromSecond = partner + 1
  }
  return differences
}

function isOfOnePlace({ was, is }: Difference): boolean {
  if (was.length === 0 || is.length === 0 || Math.max(was.length, is.length) > MAX_WORDS) return false
  if (Math.abs(was.length - is.length) > MAX_MORE_OR_FEWER) return false
  // "twenty-one" for "21" is not a correction: the second pass writes numbers in the style of its context.
  return was[0]!.segment === was.at(-1)!.segment && hasDigits(was) === hasDigits(is)
}

const hasDigits = (words: WordPart[]) => words.some(({ folded }) => /\p{N}/u.test(folded))

/** At the beginning and end no shared word proves that both cover the same speech: one may be an echo. */
const isAlike = ({ was, is }: Difference) =>
  was.length === is.length || similarity(charactersOf(was), charactersOf(is)) >= ALIKE

const charactersOf = (words: WordPart[]) => words.map(({ folded }) => folded).join('')

const rangeOf = (words: WordPart[]): TextRange => ({ from: words[0]!.range.from, to: words.at(-1)!.range.to })

type Place = TextRange & { text: string }

/** Null if only one of the texts has a symbol next to the word: "15%", "50 percent". */
function rewriteOf(was: Place, is: Place, language: string): Rewrite | null {
  if (signsAt(was) !== signsAt(is)) return null
  const { from, to } = was
  const written = is.text.slice(is.from, is.to)
  const isSmall = /^\p{Ll}/u.test(was.text.slice(from))
  if (beginsSentence(was) && !isSmall) return { from, to, text: capitalizeFirst(written, language) }
  // The second pass begins a sentence here and the first does not; "I" stays uppercase.
  const isTheSentences = beginsSentence(is) && isSmall && !/^I(?!\p{L})/u.test(written)
  return { from, to, text: isTheSentences ? withSmallFirst(written, language) : written }
}

const signsAt = ({ text, from, to }: Place) =>
  [text[from - 1], text[to]].map((sign = '') => /[$£€¥%°]/u.exec(sign)?.[0]).join()

const beginsSentence = ({ text, from }: Place) =>
  /(?:^|[.!?…]["'”’)]*\s+)["'“‘(¿¡]*$/u.test(text.slice(0, from))

const withSmallFirst = (text: string, language: string) =>
  text.replace(/^\p{Lu}/u, (letter) => lowerCase(letter, language))

/**
 * Of 4029 words, 129 to 138 were wrong with 600 to 1000 characters, and 143 with Whisper's maximum: 223 tokens of four
 * characters each or fewer.
 */
const CONTEXT_CHARACTERS = 1000

export type ContextJob = WindowJob & { engine: Pick<Engine, 'transcribe' | 'info'> }

export type TwoPassResult = TranscribedWindow & {
  /** the part of the window in this language, or all of it */
  window: Window
  /** result of the first pass */
  alone: Segment[]
}

/** The first pass; only a draft if text precedes the window, since a second pass follows. */
export function runFirstPass(
  job: ContextJob,
  window: Window,
  { follows }: { follows: boolean },
): Promise<Result<TranscribedWindow, EngineFailure>> {
  const { task, engine, onProgress } = job
  if (!follows || task !== 'transcribe' || !engine.info().secondPass) return transcribeWindow(job, window)
  return transcribeWindow({ ...job, draft: true, onProgress: (share) => onProgress?.(share / 2) }, window)
}

/**
 * Transcribes the parts of a window with several languages, one after another, each in its own language.
 *
 * @param before the first-pass segments before the window: errors of a correction must not propagate
 */
export async function transcribeByLanguage(
  job: ContextJob,
  { window, languages }: { window: Window; languages: readonly SpokenLanguage[] },
  before: readonly Segment[],
): Promise<Result<TwoPassResult[], EngineFailure>> {
  const all: TwoPassResult[] = []
  const length = windowLength(window.ranges)
  let done = 0
  for (const { language, languageProbability, window: own } of splitByLanguage(window, languages)) {
    const share = windowLength(own.ranges) / length
    const from = done
    const onProgress = (fraction: number) => job.onProgress?.(from + fraction * share)
    const context = [...before, ...all.flatMap(({ alone }) => alone)]
    const ownJob = { ...job, language, parts: undefined, onProgress }
    const first = await runFirstPass(ownJob, own, { follows: context.length > 0 })
    const result = await runSecondPass(ownJob, { window: own, first }, context)
    if (!result.ok) return result
    all.push({ ...result.value, languageProbability })
    done += share
  }
  return succeed(all)
}

/** The second pass, if there is context. @param before as in transcribeByLanguage */
export async function runSecondPass(
  job: ContextJob,
  { window, first }: { window: Window; first: Result<TranscribedWindow, EngineFailure> },
  before: readonly Segment[],
): Promise<Result<TwoPassResult, EngineFailure>> {
  const { engine, task, onProgress } = job
  if (before.length === 0 || task !== 'transcribe' || !engine.info().secondPass)
    return firstPassOnly(window, first)
  if (!first.ok || first.value.segments.length === 0) return firstPassOnly(window, first)
  const { language, segments: alone } = first.value
  // Context in another language would make the model switch to it.
  const context = before.filter((segment) => segment.language === language)
  if (context.length === 0) return firstPassOnly(window, first)
  const { model, prompt, preferences, sideBySide, signal } = job
  const second = await engine.transcribe({
    model,
    task,
    prompt,
    preferences,
    sideBySide,
    signal,
    language,
    samples: await readWindow(job.read, window.ranges),
    secondPass: { previousText: endOf(context) },
    onProgress: (share) => onProgress?.((1 + share) / 2),
  })
  if (second.ok) {
    const segments = correctWords(alone, spokenSegments(window, second.value.segments), language)
    return succeed({ ...first.value, window, alone, segments })
  }
  // A failed second pass does not lose the first one's result.
  const isStopped = second.failure.code === 'aborted' || second.failure.code === 'engine_closed'
  return isStopped ? fail(second.failure) : firstPassOnly(window, first)
}

const firstPassOnly = (
  window: Window,
  result: Result<TranscribedWindow, EngineFailure>,
): Result<TwoPassResult, EngineFailure> =>
  result.ok ? succeed({ ...result.value, window, alone: result.value.segments }) : result

/** The last characters, starting at a word if there are spaces. */
function endOf(segments: readonly Segment[]): string {
  let characters = 0
  const first = segments.findLastIndex(({ text }) => {
    characters += text.length
    return characters > CONTEXT_CHARACTERS
  })
  const text = joinTexts(segments.slice(Math.max(0, first)).map((segment) => segment.text))
  return first < 0
    ? text
    : [...text]
        .slice(-CONTEXT_CHARACTERS)
        .join('')
        .replace(/^\S*\s/, '')
}
