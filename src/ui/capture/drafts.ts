// What somebody has written into a capture and not saved: kept by the browser at every key, so that a closed tab loses
// nothing. One draft of a segment per capture and one of its refined text, gone when it is saved or given up.

import { forget, remember, remembered } from '../memory.ts'
import type { ShownSegment } from '../server/wire.ts'

/** `of`: the text that it changes; of another one it is no draft. */
type RefinedDraft = { of: string; text: string }
type Draft = RefinedDraft & { segment: number }

const keyOf = (id: string): string => `draft:${id}`
const refinedKeyOf = (id: string): string => `draft:${id}:refined`

function read<Kept>(key: string): Kept | null {
  try {
    return JSON.parse(remembered(key) ?? 'null')
  } catch {
    return null
  }
}

export const keepDraft = (id: string, draft: Draft): void => remember(keyOf(id), JSON.stringify(draft))

export const dropDraft = (id: string): void => forget(keyOf(id))

/** The segment that a draft is of; null where there is none, or the text is another one by now. */
export function keptDraft(id: string, segments: readonly Pick<ShownSegment, 'text'>[]): number | null {
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
