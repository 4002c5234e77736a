// Compares the copies in the captures folder with the captures that a server shows.
// The server writes a copy some time after the change.

import { readRecord } from '../../src/captures/record.ts'
import { type Ask, captureIds } from './kept-view.ts'
import { until } from './until.ts'

type Shown = {
  title: string | null
  starred: boolean
  status: string
  trashed_at: string | null
  transcript_raw: string
  transcript_refined: string | null
  segments: { text: string }[]
}

/** A sentence for each copy that stays wrong. */
export async function wrongCopies(ask: Ask, dataFolder: string): Promise<string[]> {
  const wrong: string[] = []
  for (const id of await captureIds(ask)) {
    const isRight = async () => (await faultOfCopy(ask, dataFolder, id)) === null
    await until(isRight).catch(async () => {
      wrong.push(`the copy of capture ${id} ${await faultOfCopy(ask, dataFolder, id)}`)
    })
  }
  return wrong
}

/** Null where the copy is right, and where there is no such capture. */
export async function faultOfCopy(ask: Ask, dataFolder: string, id: string): Promise<string | null> {
  const copy = readRecord(dataFolder, id)
  const response = await ask(`/captures/${id}`)
  const shown = (await response.json()) as Shown
  if (response.status === 404) return null
  if (!response.ok) return `cannot be compared: GET answered ${response.status}`
  if (copy === null) return 'is missing'
  if (copy === 'unreadable') return 'is unreadable'
  if (copy.state === 'deleted') return 'says that it was deleted'
  const { total } = (await (await ask(`/captures/${id}/versions`)).json()) as { total: number }
  const { capture, versions } = copy
  const differs = Object.entries({
    title: [capture.title ?? '', shown.title ?? ''],
    starred: [capture.starred, shown.starred],
    status: [capture.status, shown.status],
    trashed: [capture.trashedAt !== null, shown.trashed_at !== null],
    transcript_raw: [capture.transcriptRaw, shown.transcript_raw],
    transcript_refined: [capture.transcriptRefined, shown.transcript_refined],
    segments: [capture.segments, shown.segments].map((segments) =>
      segments.map(({ text }) => text).join('\n'),
    ),
    versions: [versions.length, total],
  }).filter(([, [copied, served]]) => copied !== served)
  return differs.length === 0 ? null : `differs in ${differs.map(([name]) => name).join(', ')}`
}
