// Removes words that two consecutive pieces both contain: if the timestamp that ends a piece is too early, the next piece
// decodes its last words again.

import type { TokenSpan } from './segments.ts'
import { FRAMES_PER_TIMESTAMP } from './sequence.ts'
import type { TimesOptions } from './timing.ts'

/** A text token and the frame at which it is spoken, counted from the first sample. */
export type SpokenToken = { id: number; text: string; frame: number }

/**
 * Words within this distance were spoken once; repeated speech is further apart. In 127 pieces one had duplicated words, at
 * most 40 ms apart.
 */
const SAME_PLACE_FRAMES = 30

/** The replacement character of a partial character; never part of a real text. */
const INCOMPLETE = '\uFFFD'

const isSpoken = ({ text }: SpokenToken) => /[\p{L}\p{N}\p{M}\uFFFD]/u.test(text)

/** Scripts without spaces have no detectable word beginnings, so nothing in them counts as repeated. */
const beginsWord = ({ text }: SpokenToken) => text.startsWith(' ')

const keyOf = ({ id, text }: SpokenToken) => (text.includes(INCOMPLETE) ? id : text.trim().toLowerCase())

const isAtPlaceOf = (one: SpokenToken | undefined, other: SpokenToken | undefined) =>
  one !== undefined && other !== undefined && Math.abs(one.frame - other.frame) <= SAME_PLACE_FRAMES

const isSame = (one: SpokenToken, other: SpokenToken | undefined) =>
  isAtPlaceOf(one, other) && keyOf(one) === keyOf(other!)

/**
 * Counts the tokens at the beginning of a piece that repeat what the previous piece wrote after its end time. The word cut
 * by that end may have changed ("And it is a crayfish" after "When it is a crayfish").
 *
 * @param before the last segment of the previous piece, which ends at `endFrame`
 */
export const countRepeated = (
  before: readonly SpokenToken[],
  endFrame: number,
  after: readonly SpokenToken[],
): number => {
  const lateFrom = before.findIndex((token) => token.frame > endFrame && beginsWord(token))
  const late = lateFrom < 0 ? [] : before.slice(lateFrom).filter(isSpoken)
  if (late.length === 0) return 0
  const divided = before.slice(0, lateFrom).findLast((token) => isSpoken(token) && beginsWord(token))
  const places = [...after.keys()].filter((place) => isSpoken(after[place]!))
  const secondWord = isAtPlaceOf(divided, after[places[0] ?? -1])
    ? places.findIndex((place, index) => index > 0 && beginsWord(after[place]!))
    : -1
  for (const from of [0, secondWord]) {
    const repeated = from < 0 ? [] : places.slice(from, from + late.length)
    if (!late.every((token, i) => isSame(token, after[repeated[i] ?? -1]))) continue
    // punctuation that follows without a space belongs to the word
    const rest = after.findIndex(
      (token, place) => place > repeated.at(-1)! && (isSpoken(token) || beginsWord(token)),
    )
    if (rest < 0) return after.length
    if (beginsWord(after[rest]!)) return rest
  }
  return 0
}

/** From the first sample. Without a time for the token, the beginning of its piece. */
const frameOf = (place: number, { beginnings, fromFrame }: TimesOptions) =>
  fromFrame + (beginnings[place] ?? 0) * FRAMES_PER_TIMESTAMP

const spokenTokens = (span: Pick<TokenSpan, 'text'>, times: TimesOptions): SpokenToken[] =>
  span.text.map(({ place, token: { id } }) => ({
    id,
    text: times.tokenizer.decode([id]),
    frame: frameOf(place, times),
  }))

const withoutFirst = (count: number, spans: TokenSpan[], times: TimesOptions): TokenSpan[] => {
  let left = count
  return spans.flatMap((span) => {
    const text = span.text.slice(left)
    left = Math.max(0, left - span.text.length)
    if (text.length === span.text.length) return span
    return text.length === 0
      ? []
      : { ...span, text, fromFrame: frameOf(text[0]!.place, times) - times.fromFrame }
  })
}

export type Repetition = {
  /** the second piece, without the words of the first */
  spans: TokenSpan[]
  /** the end of the shared words, from the first sample; null if there are none */
  endFrame: number | null
}

/**
 * @param before the last segment of the previous piece
 * @param after the piece that begins at `startFrame`, the end time of the previous one
 */
export const removeRepeated = (
  before: { span: TokenSpan; times: TimesOptions },
  after: { spans: TokenSpan[]; times: TimesOptions },
  startFrame: number,
): Repetition => {
  const { spans, times } = after
  const text = spans.flatMap((span) => span.text)
  const count = countRepeated(
    spokenTokens(before.span, before.times),
    startFrame,
    spokenTokens({ text }, times),
  )
  if (count === 0) return { spans, endFrame: null }
  const last = text[count - 1]!
  const { toFrame } = spans.find((span) => span.text.includes(last))!
  const endFrame = Math.min(frameOf(last.place + 1, times), times.fromFrame + toFrame)
  return { spans: withoutFirst(count, spans, times), endFrame }
}
