// What somebody has written into a segment and not saved: kept by the browser at every key, so that a closed tab loses
// nothing. One draft per capture, gone when it is saved or given up.

import type { ShownSegment } from '../server/wire.ts'

type Draft = { segment: number; of: string; text: string }

const keyOf = (id: string): string => `draft:${id}`

const read = (id: string): Draft | null => {
  try {
    return JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null')
  } catch {
    return null
  }
}

export const keepDraft = (id: string, draft: Draft): void =>
  localStorage.setItem(keyOf(id), JSON.stringify(draft))

export const dropDraft = (id: string): void => localStorage.removeItem(keyOf(id))

/** The segment that a draft is of; null where there is none, or the text is another one by now. */
export function keptDraft(id: string, segments: readonly Pick<ShownSegment, 'text'>[]): number | null {
  const draft = read(id)
  if (draft !== null && segments[draft.segment]?.text === draft.of) return draft.segment
  dropDraft(id)
  return null
}

export function draftTextOf(id: string, { id: segment, text }: ShownSegment): string {
  const draft = read(id)
  return draft?.segment === segment && draft.of === text ? draft.text : text
}
