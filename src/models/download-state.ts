// The state of a download, running or ended, as reported to clients. Only downloads.ts changes it.

import type { Downloadable } from './downloadable.ts'

const WINDOW_MS = 5000

function createTransferRate() {
  const samples: { atMs: number; bytes: number }[] = []
  return {
    /** @param bytes of the file so far; a lower value than before resets the measurement */
    add(atMs: number, bytes: number): void {
      if (bytes < (samples.at(-1)?.bytes ?? 0)) samples.length = 0
      samples.push({ atMs, bytes })
      while (samples.length > 2 && atMs - samples[1]!.atMs > WINDOW_MS) samples.shift()
    },
    /** null before the second sample */
    bytesPerSecond(): number | null {
      const [first, last] = [samples[0], samples.at(-1)]
      if (!first || !last || last.atMs <= first.atMs) return null
      return Math.round(((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs))
    },
  }
}

export const secondsLeft = (missingBytes: number, bytesPerSecond: number | null): number | null =>
  bytesPerSecond ? Math.ceil(missingBytes / bytesPerSecond) : null

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
const UPDATE_INTERVAL_MS = 250

export type OnUpdate = (state: DownloadState) => void

/** @param onUpdate receives a copy of the state: at once on a status change, else at most every UPDATE_INTERVAL_MS */
export function createDownloadState(
  { name, file, bytes }: Downloadable,
  { askedAs, startedAt, onUpdate }: { askedAs: string; startedAt: Date; onUpdate: OnUpdate },
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
  let updatedAtMs = Number.NEGATIVE_INFINITY

  const set = (change: Partial<DownloadState>, nowMs: number) => {
    state = { ...state, ...change }
    updatedAtMs = nowMs
    onUpdate(state)
  }

  return {
    now: () => state,
    progress(current: number, total: number | null): void {
      const nowMs = performance.now()
      rate.add(nowMs, current)
      const bytesPerSecond = rate.bytesPerSecond()
      const etaSeconds = total === null ? null : secondsLeft(total - current, bytesPerSecond)
      const change = { current, total, bytesPerSecond, etaSeconds }
      if (nowMs - updatedAtMs < UPDATE_INTERVAL_MS) state = { ...state, ...change }
      else set(change, nowMs)
    },
    become(status: DownloadStatus, error: string | null = null): void {
      const current = status === 'complete' ? (state.total ?? state.current) : state.current
      set({ status, error, current, bytesPerSecond: null, etaSeconds: null }, performance.now())
    },
  }
}

/** How long an outcome stays available to a client that asks late. */
const REMEMBERED_MS = 10_000
/** Bounds memory: clients can request any number of names that fail. */
const MAX_FAILED = 50

export function createEndedDownloads() {
  /** by file, newest last */
  const ended = new Map<string, { state: DownloadState; endedAtMs: number }>()
  const isRecent = ({ endedAtMs }: { endedAtMs: number }) => performance.now() - endedAtMs < REMEMBERED_MS

  const failed = (): DownloadState[] =>
    [...ended.values()].map(({ state }) => state).filter(({ status }) => status === 'error')

  return {
    add(state: DownloadState): void {
      ended.delete(state.file)
      ended.set(state.file, { state, endedAtMs: performance.now() })
      for (const [file, one] of ended) if (one.state.status !== 'error' && !isRecent(one)) ended.delete(file)
      for (const { file } of failed().slice(0, -MAX_FAILED)) ended.delete(file)
    },

    /** The outcome, if recent. */
    find(file: string): DownloadState | null {
      const one = ended.get(file)
      return one && isRecent(one) ? one.state : null
    },

    failed,

    /** Called when the download restarts or is cancelled. */
    forget: (file: string): void => void ended.delete(file),

    /** @returns the number of cleared failures */
    clearFailed(): number {
      const cleared = failed()
      for (const { file } of cleared) ended.delete(file)
      return cleared.length
    },
  }
}
