// The child's side of an engine process: serves requests, sends heartbeats, exits with its parent.

import { serveParentAlone } from '../lib/child-process.ts'
import { collectingEvery } from '../lib/garbage.ts'
import { createIdleMemory } from '../lib/idle-memory.ts'
import type { ModelFile, Segment, WindowTranscript } from './engine.ts'
import type {
  Answer,
  FromRecogniser,
  Question,
  RecogniserError,
  ToRecogniser,
  WindowEvent,
  WindowInput,
} from './recogniser-messages.ts'

export const HEARTBEAT_MS = 1000

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
  ): Promise<{ windows: number; stops?: boolean } | undefined>
  /** called for up to `windows` windows with `sideBySide` at a time, and for one without it */
  transcribe(window: WindowInput, events: WindowEvents): Promise<WindowTranscript>
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

const send = (message: FromRecogniser) => process.send?.(message)

const failureOf = (error: unknown): RecogniserError => ({
  code: error instanceof RecogniserFailure ? error.code : 'engine_crashed',
  message: error instanceof Error ? error.message : `the engine stopped with ${error}`,
})

const answerTo = async (
  recogniser: Recogniser,
  question: Question,
  { tell, signal }: { tell: (event: WindowEvent) => void; signal: AbortSignal },
): Promise<Answer> => {
  if (question.kind === 'load') {
    const loaded = await recogniser.load(question.model, question.threads, question.threadsTried)
    const { windows = 1, stops = false } = loaded ?? {}
    return { kind: 'loaded', windows, stops, residentBytes: process.memoryUsage.rss() }
  }
  const transcript = await recogniser.transcribe(question.window, {
    signal,
    onProgress: (fraction) => tell({ kind: 'progress', fraction }),
    onSegment: (segment) => tell({ kind: 'segment', segment }),
  })
  return { kind: 'transcribed', transcript, residentBytes: process.memoryUsage.rss() }
}

/**
 * A minute and a half of samples. The garbage of each window (more than twice its samples) accumulates to 100 MB and more,
 * because the runtime counts the kernels' memory as heap and lets that grow by half before it collects. A collection
 * takes 15 ms.
 */
const COLLECT_EVERY_SAMPLES = 90 * 16_000

/** Serves the parent process until that exits. */
export const serveRecogniser = (recogniser: Recogniser) => {
  serveParentAlone()
  setInterval(() => send({ kind: 'alive' }), HEARTBEAT_MS)
  const asked = new Map<number, AbortController>()
  const memory = createIdleMemory()
  const leaveBehind = collectingEvery(COLLECT_EVERY_SAMPLES, 'at once')
  process.on('message', (request: ToRecogniser) => {
    if (request.kind === 'warmUp') return recogniser.warmUp?.()
    if (request.kind === 'stop') return asked.get(request.id)?.abort()
    const { id, question } = request
    const stopping = new AbortController()
    const { signal } = stopping
    asked.set(id, stopping)
    memory.touch()
    answerTo(recogniser, question, { tell: (event) => send({ kind: 'told', id, event }), signal })
      .catch((error): Answer => ({ kind: 'failed', error: failureOf(error) }))
      .then((answer) => {
        asked.delete(id)
        memory.touch()
        send({ kind: 'answer', id, answer })
        if (question.kind === 'transcribe') leaveBehind(question.window.samples.length)
      })
  })
}
