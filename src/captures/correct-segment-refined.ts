// Carries a correction of what was heard over into the text that was refined from it.
// A merge of three texts: what was heard, the same as corrected, and the refined one.

import { inSlices } from '../lib/time-slice.ts'
import { type ComparedToken, comparedTokens } from '../text/text-tokens.ts'
import { compared } from './compare.ts'

/** Refining changes a part of the words; where it changed this much nobody can tell what became of one of them. */
const MAX_REFINED_EDITS = 1500

/** Null where the corrected words are not to be found in the refined text, which then is as it was. */
export async function carriedOver(heard: string, corrected: string, refined: string): Promise<string | null> {
  const old = await inSlices(comparedTokens(heard))
  const now = await inSlices(comparedTokens(corrected))
  const shown = await inSlices(comparedTokens(refined))
  const edits = await editsBetween(old, now)
  const places = edits && (await placesOf(old, shown))
  if (!edits || !places) return null
  let text = refined
  // From the end, so that the places before stay where they are.
  for (const edit of edits.toReversed()) {
    const place = placeOf(edit, places, shown, refined)
    if (place === null) return null
    text = replaced(text, place, wanted(edit, { old, now, shown, places, corrected }))
  }
  return text
}

/** Old tokens `from` to `to` become the new ones `newFrom` to `newTo`; either may be none. */
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

/** By old token: where the refined text has it. */
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

/** Where in the refined text the edited words stand; null where they do not stand there one behind the other. */
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

/** The new words as they were typed; with a capital where refining had put one. */
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

/** What is taken out takes the space before it along. */
function replaced(text: string, { from, to }: Range, by: string): string {
  const head = text.slice(0, from)
  const tail = text.slice(to)
  if (by !== '' || from === to) return head + by + tail
  return head.trim() === '' ? head + tail.trimStart() : head.trimEnd() + tail
}
