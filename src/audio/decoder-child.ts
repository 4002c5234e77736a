// One decoder process as its parent sees it: started, given files one after the other, watched, killed.
// Does not know what a recording is; decode.ts turns its outcomes into answers.

import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { computedMs, endChild, isAlive, sendTo, startChild } from '../lib/child-process.ts'
import { type DecoderReport, PRELOAD_FFMPEG } from './decoder-report.ts'
import { type DecodeTask, pathsOf } from './decoding/decode-task.ts'

export type ChildReport = Extract<DecoderReport, { step: 'decoded' | 'failed' }>

export type ChildOutcome =
  | ChildReport
  | { step: 'timeout' }
  | { step: 'aborted' }
  /** more came out than there is room for */
  | { step: 'outgrown' }
  /** it ended by itself, or somebody outside ended it */
  | { step: 'crashed' }

/** Whether it said itself how it went, and can be asked again. */
export const isReport = (outcome: ChildOutcome): outcome is ChildReport =>
  outcome.step === 'decoded' || outcome.step === 'failed'

export type DecoderChild = {
  /** false when the process never came up */
  ready: Promise<boolean>
  alive(): boolean
  /** one at a time; the process is gone when this resolves, unless it said itself how it went */
  run(task: DecodeTask, signal: AbortSignal): Promise<ChildOutcome>
  kill(): Promise<void>
}

const CHECK_EVERY_MS = 100
/** Starting and compiling are our own doing: generous, for a slow and busy machine. */
const LOAD_LIMIT_MS = 30_000
/** Of computing. Where the machine is busy with other things, a good recording gets its turns more slowly. */
const BASE_LIMIT_MS = 1800
/** A process that computes nothing for so long stands still. */
const STANDSTILL_MS = 4500
const LIMIT_MS_PER_MB = 3000
/** Sound that has come out earns more time: whoever decodes 20 times faster than it plays is not stuck. */
const LIMIT_MS_PER_SECOND_OF_SOUND = 50
const OUTPUT_BYTES_PER_SECOND = 64_000

const PROCESS_FILE = fileURLToPath(new URL('./decoder-process.ts', import.meta.url))

export function startDecoderChild(options: { preloadFfmpeg: boolean }): DecoderChild {
  const ready = Promise.withResolvers<boolean>()
  let onReport: (report: DecoderReport) => void = () => {}
  const child = startChild<DecoderReport>({
    script: PROCESS_FILE,
    arguments: options.preloadFfmpeg ? [PRELOAD_FFMPEG] : [],
    small: true,
    serialization: 'json',
    onMessage: (report) => (report.step === 'ready' ? ready.resolve(true) : onReport(report)),
  })
  // One that stands still before it is up would hold up whoever waits for it, and his place, for ever.
  const loading = setTimeout(() => child.kill('SIGKILL'), LOAD_LIMIT_MS)
  loading.unref()
  ready.promise.then(() => clearTimeout(loading))
  let onExit: () => void = () => {}
  // Once for the process and not for each recording: its promise would keep what they wait with until the end.
  child.exited.then(() => {
    ready.resolve(false)
    onExit()
  })
  // An idle spare must not keep the server's process from ending.
  child.unref()

  async function run(task: DecodeTask, signal: AbortSignal): Promise<ChildOutcome> {
    const ended = Promise.withResolvers<ChildOutcome>()
    const stopWatch = createStopWatch(() => computedMs(child))
    onReport = (report) => {
      if (report.step === 'loading') stopWatch.startLoading()
      else if (report.step === 'loaded') stopWatch.endLoading()
      else if (report.step !== 'ready') ended.resolve(report)
    }
    const onAbort = () => ended.resolve({ step: 'aborted' })
    signal.addEventListener('abort', onAbort, { once: true })
    const timer = setInterval(async () => {
      const bytes = { in: await sizeOf(task.path), out: await outputBytes(task) }
      if (bytes.out > task.roomBytes) ended.resolve({ step: 'outgrown' })
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

/** Counts the time that the recording takes, not the time that loading a decoder takes. */
export function createStopWatch(computed: () => number | null) {
  const startedAt = performance.now()
  const computedBefore = computed()
  let lastComputed = { ms: computedBefore, at: startedAt }
  let loadingSince: number | null = null
  let loadedMs = 0
  let computedLoading = 0
  let computedAtLoading = 0
  /** the files of rejected tracks included, which are removed */
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
