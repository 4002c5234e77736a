// Times for the refined text, for captions: assigns each part of it to the segment it comes from.
// Aligns words; a moved or replaced word takes its segment from its neighbours.

import { type ComparedToken, comparedTokens } from '../text/text-tokens.ts'
import type { Capture, Segments } from './capture.ts'
import { compared, withCorrectedText } from './correct-segment.ts'

/** Beyond this many edits the texts have little in common, and parts are matched by length. */
const MAX_EDITS = 3000

/** The original segments if there is no refined text. */
export async function refinedSegments({ segments, transcriptRefined }: Capture): Promise<Segments> {
  if (transcriptRefined === null || segments.length === 0) return segments
  const tokens = comparedTokens(transcriptRefined)
  const owners = await ownersOf(segments, tokens)
  const texts = textsOf(transcriptRefined, tokens, owners)
  const timed: Segments = []
  for (const [index, segment] of segments.entries()) {
    const text = texts.get(index)
    if (text) timed.push(text === segment.text ? segment : await withCorrectedText(segment, text))
  }
  return timed
}

/** The segment index of each word of the refined text; the indexes never decrease. */
async function ownersOf(segments: Segments, tokens: readonly ComparedToken[]): Promise<number[]> {
  const spoken = segments.flatMap((one, segment) =>
    comparedTokens(one.text).map(({ text }) => ({ key: text.toLowerCase(), segment })),
  )
  if (spoken.length === 0) return tokens.map(() => 0)
  const ownerAt = (place: number) => spoken[Math.min(Math.max(place, 0), spoken.length - 1)]!.segment
  const keys = [spoken.map(({ key }) => key), tokens.map(({ text }) => text.toLowerCase())] as const
  const changes = await compared(...keys, { maxEdits: MAX_EDITS })
  if (changes === null)
    return tokens.map((_, at) => ownerAt(Math.floor((at * spoken.length) / tokens.length)))
  const owners: number[] = []
  let [at, removed] = [0, 0]
  for (const change of changes) {
    if (change.removed) {
      at += change.count
      removed = change.count
      continue
    }
    for (let i = 0; i < change.count; i += 1) {
      // New words replace those removed before them; otherwise they belong with the word before.
      const share = removed > 0 ? Math.floor((i * removed) / change.count) - removed : -1
      owners.push(ownerAt(change.added ? at + share : at + i))
    }
    if (!change.added) at += change.count
    removed = 0
  }
  return settled(owners, tokens)
}

/** Punctuation stays with the word before it. */
function settled(owners: readonly number[], tokens: readonly ComparedToken[]): number[] {
  const all: number[] = []
  for (const [at, { text, from }] of tokens.entries()) {
    const before = all[at - 1] ?? 0
    const isAttached = at > 0 && IS_SIGN.test(text) && tokens[at - 1]!.to === from
    all.push(isAttached ? before : Math.max(before, owners[at]!))
  }
  return all
}

const IS_SIGN = /^[\p{P}\p{S}]$/u
const OPENS = /^[\p{Ps}\p{Pi}"'¿¡]$/u
const LINE_BEGINS = /\n\s*$/

/** The refined text of each segment that has one, with all of its punctuation. */
function textsOf(
  refined: string,
  tokens: readonly ComparedToken[],
  owners: readonly number[],
): Map<number, string> {
  const texts = new Map<number, string>()
  let [from, owner] = [0, owners[0] ?? 0]
  for (let at = 1; at < tokens.length; at += 1) {
    if (owners[at] === owner) continue
    const first = opensBefore(refined, tokens, at)
    texts.set(owner, refined.slice(from, first).trim())
    from = first
    owner = owners[at]!
  }
  texts.set(owner, refined.slice(from).trim())
  return texts
}

/** A word starts at its opening brackets, quotation marks or list bullet. */
function opensBefore(refined: string, tokens: readonly ComparedToken[], at: number): number {
  let first = at
  for (; first > 0; first -= 1) {
    const { text, from, to } = tokens[first - 1]!
    const isOpened = OPENS.test(text) && to === tokens[first]!.from
    const isItem = IS_SIGN.test(text) && LINE_BEGINS.test(refined.slice(Math.max(0, from - 8), from))
    if (!isOpened && !isItem) break
  }
  return tokens[first]!.from
}
