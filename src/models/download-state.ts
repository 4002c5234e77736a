// The state of one download, as reported to clients. Only downloads.ts changes it.

import type { Downloadable } from './downloadable.ts'
import { createTransferRate, secondsLeft } from './transfer-rate.ts'

type DownloadStatus = 'downloading' | 'verifying' | 'complete' | 'error' | 'canceled'

export type DownloadState = {
  /** the model's name once installed */
  name: string
  /** the name in the first client's request */
  askedAs: string
  file: string
  status: DownloadStatus
  /** bytes on disk */
  current: number
  /** null until the hub has reported it */
  total: number | null
  bytesPerSecond: number | null
  etaSeconds: number | null
  startedAt: Date
  /** message for users */
  error: string | null
}

export const isOver = ({ status }: Pick<DownloadState, 'status'>): boolean =>
  status !== 'downloading' && status !== 'verifying'

/** 0 to 1; 1 only once complete. */
export function fractionOf({ status, current, total }: DownloadState): number {
  if (status === 'complete') return 1
  return total ? Math.min(current / total, 0.9999) : 0
}

/** 0 to 100, truncated to one decimal: rounding would report 100 during verification. */
export const percentOf = (state: DownloadState): number => Math.floor(fractionOf(state) * 1000) / 10

/** Minimum interval between updates with an unchanged status. */
const TELL_INTERVAL_MS = 250

export type Tell = (state: DownloadState) => void

/** @param tell receives a copy of the state: at once on a status change, else at most every TELL_INTERVAL_MS */
export function createDownloadState(
  { name, file, bytes }: Downloadable,
  { askedAs, startedAt, tell }: { askedAs: string; startedAt: Date; tell: Tell },
) {
  const rate = createTransferRate()
  let state: DownloadState = {
    name,
    askedAs,
    file,
    startedAt,
    current: 0,
    total: bytes,
    status: 'downloading',
    bytesPerSecond: null,
    etaSeconds: null,
    error: null,
  }
  let toldAtMs = Number.NEGATIVE_INFINITY

  const set = (change: Partial<DownloadState>, nowMs: number) => {
    state = { ...state, ...change }
    toldAtMs = nowMs
    tell(state)
  }

  return {
    now: () => state,
    progress(current: number, total: number | null): void {
      const nowMs = performance.now()
      rate.add(nowMs, current)
      const bytesPerSecond = rate.bytesPerSecond()
      const etaSeconds = total === null ? null : secondsLeft(total - current, bytesPerSecond)
      const change = { current, total, bytesPerSecond, etaSeconds }
      if (nowMs - toldAtMs < TELL_INTERVAL_MS) state = { ...state, ...change }
      else set(change, nowMs)
    },
    become(status: DownloadStatus, error: string | null = null): void {
      const current = status === 'complete' ? (state.total ?? state.current) : state.current
      set({ status, error, current, bytesPerSecond: null, etaSeconds: null }, performance.now())
    },
  }
}
