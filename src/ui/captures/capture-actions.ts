// Actions on one or more captures, used by all views. Moving to the trash can be undone; permanent deletion asks for
// confirmation.

import { announce, attempt, noteFault, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ListedCapture } from '../server/wire.ts'
import { counted, strings } from '../strings/strings.ts'

export const CAPTURE_FORMATS = ['txt', 'md', 'docx', 'json', 'srt', 'vtt'] as const

/** The raw or the refined text; identical if nothing was refined. */
export type TextChoice = 'raw' | 'refined'

export const exportLink = (id: string, format: string, text: TextChoice): string =>
  `/captures/${id}/export?format=${format}&text=${text}`

export async function setStarred(id: string, starred: boolean): Promise<boolean> {
  return attempt(async () => {
    await request(`/captures/${id}`, { method: 'PATCH', json: { starred } })
    announce(starred ? strings.value.captures.starredNow : strings.value.captures.unstarredNow)
  })
}

const move = async (ids: readonly string[], to: 'trash' | 'restore'): Promise<void> => {
  for (const id of ids) await request(`/captures/${id}/${to}`, { method: 'POST' })
}

/** @returns whether the captures are in the trash; a failure has been reported */
export async function trashCaptures(ids: readonly string[]): Promise<boolean> {
  return attempt(async () => {
    await move(ids, 'trash')
    offerUndo(counted(ids.length, strings.value.captures.trashed), () => move(ids, 'restore'))
  })
}

export async function restoreCaptures(ids: readonly string[]): Promise<boolean> {
  return attempt(async () => {
    await move(ids, 'restore')
    offerUndo(counted(ids.length, strings.value.captures.restored), () => move(ids, 'trash'))
  })
}

/** Reports success only after the browser has copied the text. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    announce(strings.value.captures.copied)
    return true
  } catch {
    noteFault(strings.value.captures.notCopied)
    return false
  }
}

export const isAtWork = ({ status }: Pick<ListedCapture, 'status'>): boolean =>
  status === 'pending' || status === 'transcribing' || status === 'refining'
