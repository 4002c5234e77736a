// The parent's side of a decoder process: starts it, sends it files one after the other, watches and kills it.

import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { cpuTimeMs, endChild, isAlive, sendTo, spawnChild } from '../lib/child-process.ts'
import { type DecoderReport, PRELOAD_FFMPEG } from './decoder-report.ts'
import { type DecodeTask, pathsOf } from './decoding/decode-task.ts'

export type ChildReport = Extract<DecoderReport, { step: 'decoded' | 'failed' }>

export type ChildOutcome =
  | ChildReport
  | { step: 'timeout' }
  | { step: 'aborted' }
  /** the output exceeds the reserved space */
  | { step: 'outgrown' }
  /** the process died, or something outside killed it */
  | { step: 'crashed' }

/** Whether the process itself reported the outcome and can take another task. */
export const isReport = (outcome: ChildOutcome): outcome is ChildReport =>
  outcome.step === 'decoded' || outcome.step === 'failed'

export type DecoderChild = {
  /** false if the process died before it was ready */
  ready: Promise<boolean>
  alive(): boolean
  /** One task at a time. When this resolves with anything but the process's own report, the process has been killed. */
  run(task: DecodeTask, signal: AbortSignal): Promise<ChildOutcome>
  kill(): Promise<void>
}

const CHECK_EVERY_MS = 100
/** Starting and compiling do not depend on the recording: generous, for a slow and busy machine. */
const LOAD_LIMIT_MS = 30_000
/** CPU time, so that a busy machine does not fail a good recording. */
const BASE_LIMIT_MS = 1800
/** A process that uses no CPU time for this long hangs. */
const STANDSTILL_MS = 4500
const LIMIT_MS_PER_MB = 3000
/** Decoded audio earns more time: a decoder 20 times faster than real time is not stuck. */
const LIMIT_MS_PER_SECOND_OF_SOUND = 50
const OUTPUT_BYTES_PER_SECOND = 64_000

const PROCESS_FILE = fileURLToPath(new URL('./decoder-process.ts', import.meta.url))

export function startDecoderChild(options: { preloadFfmpeg: boolean }): DecoderChild {
  const ready = Promise.withResolvers<boolean>()
  let onReport: (report: DecoderReport) => void = () => {}
  const script = {
    script: PROCESS_FILE,
    arguments: options.preloadFfmpeg ? [PRELOAD_FFMPEG] : [],
    small: true,
    serialization: 'json' as const,
  }
  const child = spawnChild<DecoderReport>(script, (report) =>
    report.step === 'ready' ? ready.resolve(true) : onReport(report),
  )
  // A process that hangs during its start would block its caller and hold its slot for ever.
  const loading = setTimeout(() => child.kill('SIGKILL'), LOAD_LIMIT_MS)
  loading.unref()
  ready.promise.then(() => clearTimeout(loading))
  let onExit: () => void = () => {}
  // Registered once per process, not per recording: each handler would retain its recording's objects until the exit.
  child.exited.then(() => {
    ready.resolve(false)
    onExit()
  })
  // An idle spare must not keep the server's process alive.
  child.unref()

  async function run(task: DecodeTask, signal: AbortSignal): Promise<ChildOutcome> {
    const ended = Promise.withResolvers<ChildOutcome>()
    const stopWatch = createStopWatch(() => cpuTimeMs(child))
    onReport = (report) => {
      if (report.step === 'loading') stopWatch.startLoading()
      else if (report.step === 'loaded') stopWatch.endLoading()
      else if (report.step !== 'ready') ended.resolve(report)
    }
    const onAbort = () => ended.resolve({ step: 'aborted' })
    signal.addEventListener('abort', onAbort, { once: true })
    const timer = setInterval(async () => {
      const bytes = { in: await sizeOf(task.path), out: await outputBytes(task) }
      if (bytes.out > task.reservedBytes) ended.resolve({ step: 'outgrown' })
      else if (stopWatch.expired(bytes)) ended.resolve({ step: 'timeout' })
    }, CHECK_EVERY_MS)
    onExit = () => ended.resolve({ step: 'crashed' })
    child.ref()
    try {
      if (signal.aborted) onAbort()
      else if (!sendTo(child, task)) onExit()
      const outcome = await ended.promise
      if (!isReport(outcome)) await endChild(child)
      return outcome
    } finally {
      clearInterval(timer)
      onExit = () => {}
      signal.removeEventListener('abort', onAbort)
      child.unref()
    }
  }

  return { ready: ready.promise, alive: () => isAlive(child), run, kill: () => endChild(child) }
}

/** Measures the time that the recording takes, without the time for loading a decoder. */
export function createStopWatch(computed: () => number | null) {
  const startedAt = performance.now()
  const computedBefore = computed()
  let lastComputed = { ms: computedBefore, at: startedAt }
  let loadingSince: number | null = null
  let loadedMs = 0
  let computedLoading = 0
  let computedAtLoading = 0
  /** includes the files of rejected tracks, which are deleted */
  let written = 0
  let lastOut = 0
  return {
    startLoading() {
      loadingSince = performance.now()
      computedAtLoading = computed() ?? 0
    },
    endLoading() {
      computedLoading += (computed() ?? 0) - computedAtLoading
      loadedMs += performance.now() - (loadingSince ?? performance.now())
      loadingSince = null
    },
    expired(bytes: { in: number; out: number }): boolean {
      const now = performance.now()
      const nowComputed = computed()
      written += Math.max(0, bytes.out - lastOut)
      lastOut = bytes.out
      if (nowComputed !== lastComputed.ms) lastComputed = { ms: nowComputed, at: now }
      if (loadingSince !== null) return now - loadingSince > LOAD_LIMIT_MS
      const earnedMs = (written / OUTPUT_BYTES_PER_SECOND) * LIMIT_MS_PER_SECOND_OF_SOUND
      const limitMs = BASE_LIMIT_MS + (bytes.in / 1024 ** 2) * LIMIT_MS_PER_MB + earnedMs
      if (nowComputed === null || computedBefore === null) return now - startedAt - loadedMs > limitMs
      const standsStill = now - lastComputed.at > STANDSTILL_MS
      return standsStill || nowComputed - computedBefore - computedLoading > limitMs
    },
  }
}

async function outputBytes(task: DecodeTask): Promise<number> {
  const sizes = await Promise.all(pathsOf(task).map(sizeOf))
  return sizes.reduce((sum, size) => sum + size, 0)
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0
