// What the command asks for: models listed and brought, by the running server or without one.
// Who does it is local.ts and remote.ts.

import type { DownloadState } from '../../src/models/download-state.ts'

export type ListedModel = {
  name: string
  displayName: string
  downloaded: boolean
  recommended: boolean
  sizeMb: number | null
}

export type Progress = Pick<DownloadState, 'status' | 'current' | 'total' | 'bytesPerSecond' | 'etaSeconds'>

export type DownloadOutcome =
  | { status: 'complete' | 'already_here'; name: string }
  /** nothing was begun */
  | { status: 'refused'; code: string; message: string }
  | { status: 'failed'; message: string }

export type Source = {
  list(): Promise<ListedModel[]>
  get(name: string, onProgress: (progress: Progress) => void): Promise<DownloadOutcome>
  /** Ctrl-C; the sentence says what becomes of the download */
  interrupt(): Promise<string>
}
