// The interface of local.ts and remote.ts.

import type { DownloadState } from '../../models/download-state.ts'

export type OfferedModel = {
  name: string
  displayName: string
  downloaded: boolean
  recommended: boolean
  sizeMb: number | null
}

export type Progress = Pick<DownloadState, 'status' | 'current' | 'total' | 'bytesPerSecond' | 'etaSeconds'>

export type DownloadOutcome =
  | { status: 'complete' | 'already_here'; name: string }
  /** no download was started */
  | { status: 'refused'; code: string; message: string }
  | { status: 'failed'; message: string }

export type Source = {
  list(): Promise<OfferedModel[]>
  get(name: string, onProgress: (progress: Progress) => void): Promise<DownloadOutcome>
  /** Ctrl-C; returns a sentence about the state of the download */
  interrupt(): Promise<string>
}
