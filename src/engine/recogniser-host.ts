// The recogniser's process and the model loaded in it: loads, transcribes, replaces a process that failed or has grown.

import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { type Child, type EndCause, startChild } from '../supervisor/child.ts'
import { createSupervisor } from '../supervisor/supervisor.ts'
import { loadDeadlineMs, longestSilenceMs, suspiciousSilenceMs, windowDeadlineMs } from './deadlines.ts'
import type { ComputeDevice, EngineFailure, ModelFile, WindowRequest, WindowTranscript } from './engine.ts'
import { ABORTED, SAMPLE_RATE } from './engine.ts'
import type { GpuRequest } from './gpu/gpu-request.ts'
import { withdrawTrials } from './gpu/trials.ts'
import type { Answer, RecogniserRequest, WindowEvent, WindowInput } from './recogniser-messages.ts'

/** By this share of its size a model may grow on long texts without being reloaded. */
const GROWTH_PER_BYTE = 0.25
/** For a recogniser that can stop in the middle of a window. */
const STOP_WITHIN_MS = 500

export type RecogniserHostOptions = {
  /** the script that the process runs */
  entry: string
  threads: number
  /** how long to keep the model in memory while idle; read each time the engine becomes idle */
  idleUnloadMs: () => number
  /** a busy process that sends no message for this long is killed; a larger model gets longer */
  heartbeatTimeoutMs: number
  /** growth since the first window, plus a share of the model, after which the process is replaced between two windows */
  recycleGrowthBytes: number
  /** read before each window: a change loads the model again. @default the GPU is off */
  gpu?: (() => GpuRequest) | undefined
  log: Log
}

/**
 * The process ended because of another window, or while others ran that may have caused it. The caller repeats the
 * window alone; if the process ends again, that window is the cause.
 */
export const INTERRUPTED = 'interrupted'

/** A first load compares both devices, and a busy CPU takes minutes for a recording with a large model. */
const GPU_TRIAL_MS = 600_000

const NO_GPU: GpuRequest = { use: 'cpu', folder: '' }

type LoadedModel = {
  process: Child<RecogniserRequest, WindowEvent, Answer>
  model: ModelFile
  use: GpuRequest['use']
  stops: boolean
  firstWindowBytes: number | null
  /** a window has failed in it, and it is being replaced */
  hasFailed: boolean
}

const failureOf = (cause: EndCause): EngineFailure => {
  const seconds = 'withinMs' in cause ? cause.withinMs / 1000 : 0
  if (cause.kind === 'late')
    return { code: 'engine_timeout', message: `The engine did not respond within ${seconds} s.` }
  if (cause.kind === 'silent')
    return { code: 'engine_timeout', message: `The engine's process sent no message for ${seconds} s.` }
  if (cause.kind !== 'died') return ABORTED
  const how = cause.signal ?? `code ${cause.exitCode}`
  return { code: 'engine_crashed', message: `The engine's process ended with ${how}.` }
}

/** The caller's object may have other fields, which cannot all be sent. */
const inputOf = (request: WindowRequest, sideBySide: boolean): WindowInput => {
  const { samples, language, parts, task, prompt, preferences, tokens, secondPass, draft, preview } = request
  const hints = { language, task, prompt, preferences }
  return { samples, parts, ...hints, tokens, secondPass, draft, preview, sideBySide }
}

export const createRecogniserHost = (options: RecogniserHostOptions) => {
  const { entry, heartbeatTimeoutMs, recycleGrowthBytes, gpu: gpuRequest = () => NO_GPU, log } = options
  let { threads } = options
  let threadsTried = false
  let windows = 1
  let device: ComputeDevice | undefined
  let loadingOnGpu: GpuRequest | null = null
  let withdrawing = Promise.resolve()
  let lastLoaded: LoadedModel | null = null
  let runningWindows = 0
  let restarts = 0

  const startRecogniser = () => {
    const process = startChild<RecogniserRequest, WindowEvent, Answer>({
      script: entry,
      serialization: 'advanced',
    })
    log.debug({ pid: process.pid }, 'engine process started')
    process.ended.then(({ cause, requests }) => {
      const { code, message } = failureOf(cause)
      if (requests === 0 || code === 'aborted') return
      restarts += 1
      log.warn({ outcome: code === 'engine_timeout' ? 'timeout' : 'died', restarts }, message)
    })
    return process
  }

  const supervisor = createSupervisor({ startChild: startRecogniser, idleMs: options.idleUnloadMs })

  const loaded = () => {
    const process = supervisor.running()
    return process !== null && lastLoaded?.process === process ? lastLoaded : null
  }

  const hasLoaded = ({ path, bytes }: ModelFile) => {
    const { model, use } = loaded() ?? {}
    return model?.path === path && model.bytes === bytes && use === gpuRequest().use
  }

  /** After the end of a process, starts the next one ahead of the next request, which loads its model. */
  const send: typeof supervisor.request = async (request, requestOptions) => {
    const outcome = await supervisor.request(request, requestOptions)
    if (outcome.kind !== 'answered') supervisor.start()
    return outcome
  }

  const failureAnswered = async (answer: Answer): Promise<EngineFailure> => {
    if (answer.kind !== 'failed') throw new Error(`the recogniser answered with ${answer.kind}`)
    const { code, message } = answer.error
    await supervisor.replace()
    if (code === 'model_unreadable') return { code, message }
    restarts += 1
    log.warn({ code, restarts }, 'engine failed')
    return { code: 'engine_crashed', message }
  }

  const load = async (model: ModelFile, signal: AbortSignal): Promise<Result<void, EngineFailure>> => {
    if (hasLoaded(model)) return succeed(supervisor.touch())
    if (loaded() || !supervisor.running()) await supervisor.discard()
    const gpu = gpuRequest()
    loadingOnGpu = gpu.use === 'cpu' ? null : gpu
    const outcome = await send(
      { kind: 'load', model, threads, threadsTried, gpu },
      { deadlineMs: loadDeadlineMs(model) + (loadingOnGpu ? GPU_TRIAL_MS : 0), signal },
    )
    if (outcome.kind === 'aborted') await withdrawTrial()
    loadingOnGpu = null
    if (outcome.kind === 'aborted') return fail(ABORTED)
    if (outcome.kind !== 'answered') return fail(failureOf(outcome.cause))
    const { answer } = outcome
    if (answer.kind === 'failed' && answer.error.code === 'threads_broken' && threads > 1) {
      log.warn({ threads }, 'threads do not work on this machine; continuing with one')
      threads = 1
      await supervisor.replace()
      return load(model, signal)
    }
    if (answer.kind !== 'loaded') return fail(await failureAnswered(answer))
    threadsTried = true
    windows = answer.windows
    noteDevice(answer.device, { model, use: gpu.use })
    const process = supervisor.running()
    const { stops } = answer
    lastLoaded = process && { process, model, use: gpu.use, stops, firstWindowBytes: null, hasFailed: false }
    return succeed(undefined)
  }

  /** The process of a load that was cut short has ended, and it was not the GPU that ended it. */
  const withdrawTrial = () => {
    if (loadingOnGpu) withdrawing = withdrawTrials(loadingOnGpu.folder)
    loadingOnGpu = null
    return withdrawing
  }

  const noteDevice = (next: ComputeDevice | null, { model, use }: Pick<LoadedModel, 'model' | 'use'>) => {
    const isNews = use !== 'cpu' && !Bun.deepEquals(next, device ?? null)
    if (next && isNews) log.info({ model: model.name, gpu: next.gpu }, next.reason)
    device = next ?? undefined
  }

  const recycleWhenGrown = async (used: LoadedModel, residentBytes: number) => {
    if (runningWindows > 0 || used !== loaded()) return
    used.firstWindowBytes ??= residentBytes
    const { firstWindowBytes, model } = used
    if (residentBytes - firstWindowBytes < recycleGrowthBytes + GROWTH_PER_BYTE * model.bytes) return
    log.info({ residentBytes, firstWindowBytes }, 'engine process has grown and is replaced')
    await supervisor.replace()
  }

  const transcribe = async (
    request: WindowRequest,
    signal: AbortSignal,
  ): Promise<Result<WindowTranscript, EngineFailure> | typeof INTERRUPTED> => {
    const used = loaded()
    if (!used) throw new Error('a model must be loaded first')
    const sideBySide = request.sideBySide === true && windows > 1
    const deadlineMs = windowDeadlineMs(used.model, request.samples.length / SAMPLE_RATE)
    runningWindows += 1
    const outcome = await send(
      { kind: 'transcribe', window: inputOf(request, sideBySide) },
      {
        deadlineMs: sideBySide ? deadlineMs * windows : deadlineMs,
        silenceMs: longestSilenceMs(used.model, heartbeatTimeoutMs),
        stopWithinMs: used.stops ? STOP_WITHIN_MS : 0,
        sideBySide,
        signal,
        onEvent(event) {
          if (event.kind === 'progress') request.onProgress?.(event.fraction)
          else request.onSegment?.(event.segment)
        },
      },
    )
    runningWindows -= 1
    if (outcome.kind === 'aborted') return fail(ABORTED)
    if (outcome.kind === 'interrupted') return INTERRUPTED
    if (outcome.kind === 'blamed') return fail(failureOf(outcome.cause))
    const { answer } = outcome
    if (answer.kind === 'transcribed') {
      noteDevice(answer.device, used)
      await recycleWhenGrown(used, answer.residentBytes)
      return succeed(answer.transcript)
    }
    if (used.hasFailed) return INTERRUPTED
    used.hasFailed = true
    const ranAlone = runningWindows === 0
    const failure = await failureAnswered(answer)
    return ranAlone ? fail(failure) : INTERRUPTED
  }

  return {
    load,
    hasLoaded,
    windows: () => windows,
    transcribe,
    discard: supervisor.discard,
    warmUp: () => loaded()?.process.notify({ kind: 'warmUp' }),
    async close() {
      await supervisor.close()
      await withdrawTrial()
    },
    device: () => device,
    threads: () => threads,
    restarts: () => restarts,
    loadedModel: () => loaded()?.model.name ?? null,
    isSilent: () => {
      const used = loaded()
      return used !== null && used.process.silentMs() >= suspiciousSilenceMs(used.model)
    },
  }
}
