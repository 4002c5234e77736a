// The mapping between a capture and its row in the index.
// The row holds no segments: those are in the record alone, where a recording of hours costs nothing to list.

import type { CaptureRow, DeletedCaptureRow } from '../../db/schema.ts'
import { fold } from '../text/fold.ts'
import type { Capture, CaptureSource, CaptureStatus, RefinementFlags, RefinementStatus } from './capture.ts'

/** A capture as lists show it. */
export type CaptureSummary = Omit<Capture, 'segments'>

export function toRow(capture: Capture): CaptureRow {
  const { segments: _inRecordOnly, ...indexed } = capture
  const texts = [capture.title ?? capture.fileName, capture.transcriptRefined, capture.transcriptRaw]
  return withoutNul({
    ...indexed,
    durationMs: capture.durationMs === null ? null : Math.round(capture.durationMs),
    searchText: fold(texts.filter((text) => text !== null && text !== '').join('\n')),
  })
}

/** The casts are what this program itself has written, in toRow. */
export function fromRow(row: CaptureRow): CaptureSummary {
  const { searchText: _forTheIndex, ...indexed } = row
  return {
    ...indexed,
    source: row.source as CaptureSource,
    status: row.status as CaptureStatus,
    refinementStatus: row.refinementStatus as RefinementStatus,
    refinementFlags: row.refinementFlags as RefinementFlags | null,
  }
}

export function toRemains(capture: Capture, deletedAt: Date): DeletedCaptureRow {
  const { id, source, status, wordCount, corrections, durationMs, sttModel, appName, appId, createdAt } =
    capture
  return withoutNul({
    ...{
      id,
      source,
      status,
      wordCount,
      corrections,
      durationMs,
      sttModel,
      appName,
      appId,
      createdAt,
      deletedAt,
    },
    language: capture.detectedLanguage ?? capture.language,
    refined: capture.transcriptRefined !== null,
  })
}

/** Postgres stores every character but this one. */
function withoutNul<T extends object>(row: T): T {
  const cleaned = Object.entries(row).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('\0', '') : value,
  ])
  return Object.fromEntries(cleaned) as T
}
