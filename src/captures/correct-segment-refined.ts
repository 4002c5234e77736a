// Applies a correction of the transcript to the refined text: a three-way merge of the transcript, the corrected
// transcript and the refined text.

import { inSlices } from '../lib/time-slice.ts'
import { type ComparedToken, comparedTokens } from '../text/text-tokens.ts'
import { compared } from './compare.ts'

/** Refining changes some of the words. Beyond this share of changes, words cannot be matched reliably. */
const MAX_REFINED_EDITS = 1500

/** Null if the corrected words are not found in the refined text, which then stays unchanged. */
export async function carriedOver(heard: string, corrected: string, refined: string): Promise<string | null> {
  const old = await inSlices(comparedTokens(heard))
  const now = await inSlices(comparedTokens(corrected))
  const shown = await inSlices(comparedTokens(refined))
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
