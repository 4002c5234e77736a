// The child's side of an engine process: runs a recogniser for the parent's requests, and sends heartbeats.

import { collectGarbageEvery, createIdleMemory } from '../lib/idle-memory.ts'
import { sendHeartbeats, serveParent } from '../supervisor/serve-parent.ts'
import type { ComputeDevice, ModelFile, Segment, WindowTranscript } from './engine.ts'
import type { GpuRequest } from './gpu/gpu-request.ts'
import type {
  Answer,
  RecogniserError,
  RecogniserRequest,
  WindowEvent,
  WindowInput,
} from './recogniser-messages.ts'

/** From the event loop, which a healthy process blocks only while it loads a model. */
const HEARTBEAT_MS = 1000

export type WindowEvents = {
  /** cancels the window; a recogniser with `stops` then throws the reason soon */
  signal: AbortSignal
  onProgress: (fraction: number) => void
  onSegment: (segment: Segment) => void
}

/** May block, loop or trap: the parent then kills the process. */
export type Recogniser = {
  /**
   * Called once, before everything else.
   * @returns how many windows it decodes side by side (default 1), and whether it can stop in the middle of one
   * @throws RecogniserFailure
   */
  load(
    model: ModelFile,
    threads: number,
    threadsTried: boolean,
    gpu: GpuRequest,
  ): Promise<{ windows: number; stops?: boolean } | undefined>
  /** called for up to `windows` windows with `sideBySide` at a time, and for one without it */
  transcribe(window: WindowInput, events: WindowEvents): Promise<WindowTranscript>
  /** what computes the loaded model; a GPU may be lost */
  device?(): ComputeDevice | null
  /** runs the loaded model while idle, so that the first request does not wait for compilation */
  warmUp?(): void
}

export class RecogniserFailure extends Error {
  readonly code: RecogniserError['code']
  constructor(code: RecogniserError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const failureOf = (error: unknown): RecogniserError => ({
  code: error instanceof RecogniserFailure ? error.code : 'engine_crashed',
  message: error instanceof Error ? error.message : `the engine stopped with ${error}`,
})

const stateOf = (recogniser: Recogniser) => ({
  device: recogniser.device?.() ?? null,
  residentBytes: process.memoryUsage.rss(),
})

type Context = { emit: (event: WindowEvent) => void; signal: AbortSignal }

const answerTo = async (
  recogniser: Recogniser,
  request: Exclude<RecogniserRequest, { kind: 'warmUp' }>,
  { emit, signal }: Context,
): Promise<Answer> => {
  if (request.kind === 'load') {
    const { model, threads, threadsTried, gpu } = request
    const loaded = await recogniser.load(model, threads, threadsTried, gpu)
    const { windows = 1, stops = false } = loaded ?? {}
    return { kind: 'loaded', windows, stops, ...stateOf(recogniser) }
  }
  const transcript = await recogniser.transcribe(request.window, {
    signal,
    onProgress: (fraction) => emit({ kind: 'progress', fraction }),
    onSegment: (segment) => emit({ kind: 'segment', segment }),
  })
  return { kind: 'transcribed', transcript, ...stateOf(recogniser) }
}

/**
 * A minute and a half of samples. The garbage of each window (more than twice its samples) accumulates to 100 MB and more,
 * because the runtime counts the kernels' memory as heap and lets that grow by half before it collects. A collection
 * takes 15 ms.
 */
const COLLECT_EVERY_SAMPLES = 90 * 16_000

/** Serves the parent process until that exits. */
export const serveRecogniser = (recogniser: Recogniser) => {
  sendHeartbeats(HEARTBEAT_MS)
  const memory = createIdleMemory()
  const collectAfter = collectGarbageEvery(COLLECT_EVERY_SAMPLES, 'at once')
  serveParent<RecogniserRequest, WindowEvent, Answer>({
    async answer(request, context) {
      if (request.kind === 'warmUp') {
        recogniser.warmUp?.()
        return { kind: 'warming up' }
      }
      memory.touch()
      try {
        return await answerTo(recogniser, request, context)
      } catch (error) {
        return { kind: 'failed', error: failureOf(error) }
      } finally {
        memory.touch()
      }
    },
    tidy(request) {
      if (request.kind === 'transcribe') collectAfter(request.window.samples.length)
    },
  })
}
