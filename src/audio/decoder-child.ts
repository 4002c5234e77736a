// A decoder process: starts it, sends it files one after the other, and limits the time and the space that each may take.

import { stat } from 'node:fs/promises'
import { cpuTimeMs } from '../lib/child-process.ts'
import { ownFile } from '../lib/own-files.ts'
import { startChild } from '../supervisor/child.ts'
import type { DecoderAnswer, DecoderEvent, DecoderReport, DecoderRequest } from './decoder-messages.ts'
import { type DecodeTask, pathsOf } from './decoding/decode-task.ts'

export type DecodeOutcome =
  | DecoderReport
  | { step: 'timeout' }
  | { step: 'aborted' }
  /** the output exceeds the reserved space */
  | { step: 'outgrown' }
  /** the process died, or something outside killed it */
  | { step: 'crashed' }

/** Whether the process itself reported the outcome and can take another task. */
export const isReport = (outcome: DecodeOutcome): outcome is DecoderReport =>
  outcome.step === 'decoded' || outcome.step === 'failed'

export type DecoderChild = ReturnType<typeof startDecoderChild>

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

const PROCESS_FILE = ownFile('src/audio/decoder-process.ts')

export type DecoderStart = {
  preloadFfmpeg: boolean
  /** optional decoders that the user put there */
  decodersFolder: string | null
}

export function startDecoderChild(start: DecoderStart) {
  const script = { script: PROCESS_FILE, small: true, serialization: 'json' as const }
  const child = startChild<DecoderRequest, DecoderEvent, DecoderAnswer>(script)
  const started = child.request({ step: 'start', ...start }, { deadlineMs: LOAD_LIMIT_MS })

  /** One task at a time. After anything but the process's own report, the process must be killed. */
  async function run(task: DecodeTask, signal: AbortSignal): Promise<DecodeOutcome> {
    const limits = new AbortController()
    const stop = AbortSignal.any([signal, limits.signal])
    const stopWatch = createStopWatch(() => cpuTimeMs(child))
    const timer = setInterval(async () => {
      const bytes = { in: await sizeOf(task.path), out: await outputBytes(task) }
      if (stop.aborted) return
      if (bytes.out > task.reservedBytes) limits.abort('outgrown')
      else if (stopWatch.expired(bytes)) limits.abort('timeout')
    }, CHECK_EVERY_MS)
    const onEvent = (event: DecoderEvent) =>
      event === 'loading' ? stopWatch.startLoading() : stopWatch.endLoading()
    try {
      const outcome = await child.request({ step: 'decode', task }, { signal: stop, onEvent })
      if (outcome.kind === 'aborted')
        return { step: limits.signal.aborted ? limits.signal.reason : 'aborted' }
      if (outcome.kind !== 'answered') return { step: 'crashed' }
      if (outcome.answer.step === 'started')
        throw new Error('the decoder answered a recording with its start')
      return outcome.answer
    } finally {
      clearInterval(timer)
    }
  }

  return {
    /** false if the process died before it was ready */
    ready: started.then(({ kind }) => kind === 'answered'),
    alive: child.isAlive,
    run,
    kill: child.kill,
  }
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
      const isStalled = now - lastComputed.at > STANDSTILL_MS
      return isStalled || nowComputed - computedBefore - computedLoading > limitMs
    },
  }
}

async function outputBytes(task: DecodeTask): Promise<number> {
  const sizes = await Promise.all(pathsOf(task).map(sizeOf))
  return sizes.reduce((sum, size) => sum + size, 0)
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0
