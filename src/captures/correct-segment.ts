// Corrects one segment: its text, its word times, and the texts built from segments, also in the refined text. The
// engine's own text never changes; the replaced state is stored as a version.

import { type ChangeObject, diffArrays } from 'diff'
import type { Segment, Word } from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { type ComparedToken, comparedTokens, UNSPACED_SCRIPTS } from '../text/text-tokens.ts'
import { joinTexts } from '../transcription/transcript.ts'
import { type Capture, captureNotFound, changedMeanwhile, countWords, type IsExpected } from './capture.ts'
import { type Archive, changeCapture, currentState } from './change-capture.ts'

/** Compared without a pause: lists this short take at most ten milliseconds. */
const FEW = 1000

/** Null if it takes more than `maxEdits` edits. */
export async function compared<T>(
  old: T[],
  now: T[],
  { maxEdits }: { maxEdits: number },
): Promise<ChangeObject<T[]>[] | null> {
  if (old.length + now.length <= FEW) return diffArrays(old, now, { maxEditLength: maxEdits }) ?? null
  const { promise, resolve } = Promise.withResolvers<ChangeObject<T[]>[] | null>()
  // With a callback, each turn of the event loop tries one more edit.
  diffArrays(old, now, { maxEditLength: maxEdits, callback: (changes) => resolve(changes ?? null) })
  return promise
}

type Span = { startMs: number; endMs: number }

/** A character of the new text, its time, and whether that time is known or interpolated between neighbours. */
type Letter = Span & { anchored: boolean; from: Word | null }

/** Beyond this many edits the texts are treated as unrelated: the new text replaces the old one as a whole. */
const MAX_EDITS = 1000

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u')

/** Probabilities come from the engine, so a word that the user wrote has none. Segments without words get none. */
export async function withCorrectedText(segment: Segment, text: string): Promise<Segment> {
  if (segment.words.length === 0) return { ...segment, text }
  const texts = wordsOf(text)
  const letters = await timedLetters(segment.words, texts.flatMap(lettersOf))
  let at = 0
  const words = texts.map((word): Word => {
    const own = letters.slice(at, at + lettersOf(word).length)
    at += own.length
    const same = own[0]?.from
    if (same && same.word.trim() === word && own.every(({ from }) => from === same)) return same
    const known = own.filter(({ anchored }) => anchored)
    const [first, last] = [(known[0] ?? own[0])!, (known.at(-1) ?? own.at(-1))!]
    return { word, startMs: Math.round(first.startMs), endMs: Math.round(last.endMs), probability: null }
  })
  return { ...segment, text, words }
}

/** Words with their punctuation, as the engines return them. */
function wordsOf(text: string): string[] {
  return text.split(/\s+/u).flatMap((chunk) => {
    if (!UNSPACED.test(chunk)) return chunk === '' ? [] : [chunk]
    const words: string[] = []
    for (const { segment, isWordLike } of segmenter.segment(chunk)) {
      if (isWordLike || words.length === 0) words.push(segment)
      else words.push(words.pop() + segment)
    }
    return words
  })
}

const lettersOf = (word: string): string[] => [...word.trim()]

async function timedLetters(words: Word[], wanted: string[]): Promise<Letter[]> {
  const spoken = words.flatMap(lettersOfWord)
  const found = await compared(spoken.map(keyOf), wanted.map(lower), { maxEdits: MAX_EDITS })
  const changes = found ?? [
    { value: wanted, count: spoken.length, removed: true, added: false },
    { value: wanted, count: wanted.length, removed: false, added: true },
  ]
  const letters: Letter[] = []
  let at = 0
  let replacedFrom: number | null = null
  for (const { count, added, removed } of changes) {
    if (removed) replacedFrom = at
    else if (added) letters.push(...spread(count, spoken, replacedFrom ?? at, at))
    else letters.push(...spoken.slice(at, at + count).map((letter) => ({ ...letter, anchored: true })))
    if (!removed) replacedFrom = null
    if (!added) at += count
  }
  return letters
}

type SpokenLetter = Span & { letter: string; from: Word }

/** The characters of a word share its time evenly. */
function lettersOfWord(word: Word): SpokenLetter[] {
  const letters = lettersOf(word.word)
  const each = (word.endMs - word.startMs) / letters.length
  return letters.map((letter, index) => ({
    letter,
    from: word,
    startMs: word.startMs + index * each,
    endMs: index + 1 === letters.length ? word.endMs : word.startMs + (index + 1) * each,
  }))
}

const lower = (letter: string): string => letter.toLowerCase()
const keyOf = ({ letter }: SpokenLetter): string => lower(letter)

/** New characters in place of spoken ones (`from` to `to`, exclusive), or between two of them. */
function spread(count: number, spoken: SpokenLetter[], from: number, to: number): Letter[] {
  const anchored = to > from
  const before = spoken[from - 1]?.endMs ?? spoken[0]!.startMs
  const startMs = anchored ? spoken[from]!.startMs : before
  const endMs = anchored ? spoken[to - 1]!.endMs : (spoken[to]?.startMs ?? before)
  const each = Math.max(0, endMs - startMs) / count
  return Array.from({ length: count }, (_, index) => ({
    startMs: startMs + index * each,
    endMs: startMs + (index + 1) * each,
    anchored,
    from: null,
  }))
}

/** Refining changes some of the words. Beyond this many edits, words cannot be matched reliably. */
const MAX_REFINED_EDITS = 1500

/** Null if the corrected words are not found in the refined text, which then stays unchanged. */
export async function carriedOver(raw: string, corrected: string, refined: string): Promise<string | null> {
  const [old, now, shown] = [comparedTokens(raw), comparedTokens(corrected), comparedTokens(refined)]
  const edits = await editsBetween(old, now)
  const places = edits && (await placesOf(old, shown))
  if (!edits || !places) return null
  let text = refined
  // From the end, so that earlier positions stay valid.
  for (const edit of edits.toReversed()) {
    const place = placeOf(edit, places, shown, refined)
    if (place === null) return null
    text = replaced(text, place, wanted(edit, { old, now, shown, places, corrected }))
  }
  return text
}

/** Old tokens `from` to `to` become the new ones `newFrom` to `newTo`; either range may be empty. */
type Edit = { from: number; to: number; newFrom: number; newTo: number }

async function editsBetween(old: ComparedToken[], now: ComparedToken[]): Promise<Edit[] | null> {
  const texts = (tokens: ComparedToken[]) => tokens.map(({ text }) => text)
  const changes = await compared(texts(old), texts(now), { maxEdits: MAX_REFINED_EDITS })
  if (!changes) return null
  const edits: Edit[] = []
  let [at, newAt] = [0, 0]
  let open: Edit | null = null
  for (const { count, added, removed } of changes) {
    if (added || removed) {
      open ??= { from: at, to: at, newFrom: newAt, newTo: newAt }
      if (removed) open.to += count
      if (added) open.newTo += count
      if (edits.at(-1) !== open) edits.push(open)
    } else open = null
    if (!added) at += count
    if (!removed) newAt += count
  }
  return edits
}

/** For each old token, its position in the refined text. */
async function placesOf(old: ComparedToken[], shown: ComparedToken[]): Promise<Map<number, number> | null> {
  const keys = (tokens: ComparedToken[]) => tokens.map(({ text }) => text.toLowerCase())
  const changes = await compared(keys(old), keys(shown), { maxEdits: MAX_REFINED_EDITS })
  if (!changes) return null
  const places = new Map<number, number>()
  let [at, shownAt] = [0, 0]
  for (const { count, added, removed } of changes) {
    if (!added && !removed) for (let i = 0; i < count; i++) places.set(at + i, shownAt + i)
    if (!added) at += count
    if (!removed) shownAt += count
  }
  return places
}

type Range = { from: number; to: number }

/** Positions of the edited words in the refined text; null if they are not adjacent there. */
function placeOf(
  { from, to }: Edit,
  places: Map<number, number>,
  shown: ComparedToken[],
  refined: string,
): Range | null {
  if (from === to) {
    const before = from === 0 ? -1 : places.get(from - 1)
    if (before === undefined) return null
    const at = before < 0 ? 0 : shown[before]!.to
    const after = places.get(from)
    const isEnd = before === shown.length - 1 && at === refined.trimEnd().length
    return after === before + 1 || isEnd ? { from: at, to: at } : null
  }
  const first = places.get(from)
  const last = places.get(to - 1)
  if (first === undefined || last === undefined || last - first !== to - 1 - from) return null
  return { from: shown[first]!.from, to: shown[last]!.to }
}

type Texts = {
  old: ComparedToken[]
  now: ComparedToken[]
  shown: ComparedToken[]
  places: Map<number, number>
  corrected: string
}

/** The new words as typed, capitalised where refining had capitalised the old ones. */
function wanted({ from, to, newFrom, newTo }: Edit, { old, now, shown, places, corrected }: Texts): string {
  if (newFrom === newTo) return ''
  const isInserted = from === to
  const start = isInserted ? (now[newFrom - 1]?.to ?? 0) : now[newFrom]!.from
  const end = isInserted && newFrom === 0 ? (now[newTo]?.from ?? corrected.length) : now[newTo - 1]!.to
  const text = corrected.slice(start, end)
  const was = isInserted ? undefined : shown[places.get(from)!]?.text
  const raised = was !== undefined && was !== old[from]!.text && was[0] === was[0]!.toUpperCase()
  return raised ? text[0]!.toUpperCase() + text.slice(1) : text
}

/** A removed word also removes the space before it. */
function replaced(text: string, { from, to }: Range, by: string): string {
  const head = text.slice(0, from)
  const tail = text.slice(to)
  if (by !== '' || from === to) return head + by + tail
  return head.trim() === '' ? head + tail.trimStart() : head.trimEnd() + tail
}

export type SegmentCorrection = {
  /** counts from 0 */
  number: number
  /** empty if nothing was said there */
  text: string
  /** whether the capture is unchanged since the client read it */
  isExpected?: IsExpected
}

/** `refinedIsOlder`: the refined text does not contain the correction and should be refined again. */
export type Corrected = { capture: Capture; refinedIsOlder: boolean }

export type CorrectionFailure = {
  code: 'capture_not_found' | 'segment_not_found' | 'capture_busy' | 'precondition_failed'
  message: string
  /** the conflicting job */
  conflictingId?: string
}

/** A correction that equals the current text changes nothing. */
export async function correctSegment(
  archive: Archive,
  id: string,
  { number, text, isExpected = () => true }: SegmentCorrection,
): Promise<Result<Corrected, CorrectionFailure>> {
  return archive.lock(id, async () => {
    const current = await currentState(archive, id)
    if (current === null) return fail(captureNotFound(id))
    const { capture, job } = current
    if (!isExpected(capture)) return fail(changedMeanwhile(id))
    if (job !== null)
      return fail({
        code: 'capture_busy',
        message: `Job ${job.id} works on this capture and may replace its text. Wait for it or cancel it.`,
        conflictingId: job.id,
      })
    const segment = capture.segments[number]
    if (segment === undefined) return fail(noSuchSegment(capture, number))
    const typed = text.trim()
    if (typed === segment.text.trim()) return succeed({ capture, refinedIsOlder: false })
    const segments = capture.segments.with(number, await withCorrectedText(segment, typed))
    const { change, refinedIsOlder } = await textsAfter(capture, segments, number)
    const corrected = await changeCapture(archive, {
      current,
      change: { segments, ...change },
      replacement: { at: archive.clock(), by: 'person' },
    })
    return succeed({ capture: corrected, refinedIsOlder })
  })
}

function noSuchSegment({ id, segments }: Capture, number: number): CorrectionFailure {
  const there = segments.length === 0 ? 'has no segments' : `has segments 0 to ${segments.length - 1}`
  return { code: 'segment_not_found', message: `Capture ${id} ${there}; there is no segment ${number}.` }
}

async function textsAfter(capture: Capture, segments: Segment[], number: number) {
  const { transcriptRaw: raw, transcriptRefined: refined } = capture
  const transcriptRaw = rawAfter(capture, segments, number)
  const carried = refined === null ? null : await carriedOver(raw, transcriptRaw, refined)
  const transcriptRefined = carried ?? refined
  const wordCount = countWords(transcriptRefined ?? transcriptRaw)
  return {
    change: { transcriptRaw, transcriptRefined, wordCount },
    refinedIsOlder: refined !== null && carried === null,
  }
}

/** The whole text with this segment's part replaced; rebuilt from all segments if that part is not found. */
function rawAfter({ transcriptRaw, segments: before }: Capture, after: Segment[], number: number): string {
  let at = 0
  for (const [index, { text }] of before.entries()) {
    const part = text.trim()
    const from = transcriptRaw.indexOf(part, at)
    if (from < 0) break
    at = from + part.length
    if (index < number) continue
    const by = after[number]!.text
    const [head, tail] = [transcriptRaw.slice(0, from), transcriptRaw.slice(at)]
    if (by === '' || part === '') break
    return head + by + tail
  }
  return joinTexts(after.map(({ text }) => text))
}
