// Unsaved edits of a capture, stored in the browser on every key so that closing the tab loses nothing. One segment
// draft and one refined-text draft per capture, removed when the user saves or discards it.

import { forget, remember, remembered } from '../browser-storage.ts'
import type { ShownSegment } from '../server/wire.ts'

/** `of`: the text that the draft edits; a draft of a different text is ignored */
type RefinedDraft = { of: string; text: string }
type Draft = RefinedDraft & { segment: number }

const keyOf = (id: string): string => `draft:${id}`
const refinedKeyOf = (id: string): string => `draft:${id}:refined`

function read<Stored>(key: string): Stored | null {
  try {
    return JSON.parse(remembered(key) ?? 'null')
  } catch {
    return null
  }
}

export const keepDraft = (id: string, draft: Draft): void => remember(keyOf(id), JSON.stringify(draft))

export const dropDraft = (id: string): void => forget(keyOf(id))

/** The segment that the draft edits; null if there is no draft or its segment has changed since. */
export function storedDraft(id: string, segments: readonly Pick<ShownSegment, 'text'>[]): number | null {
  const draft = read<Draft>(keyOf(id))
  if (draft !== null && segments[draft.segment]?.text === draft.of) return draft.segment
  dropDraft(id)
  return null
}

export function draftTextOf(id: string, { id: segment, text }: ShownSegment): string {
  const draft = read<Draft>(keyOf(id))
  return draft?.segment === segment && draft.of === text ? draft.text : text
}

export const keepRefinedDraft = (id: string, draft: RefinedDraft): void =>
  remember(refinedKeyOf(id), JSON.stringify(draft))

export const dropRefinedDraft = (id: string): void => forget(refinedKeyOf(id))

export function refinedDraftOf(id: string, refined: string): string | null {
  const draft = read<RefinedDraft>(refinedKeyOf(id))
  return draft?.of === refined ? draft.text : null
}
