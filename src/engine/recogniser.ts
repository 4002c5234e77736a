// The child process's side of an engine: takes requests, keeps the heartbeat, dies with its parent.
// How speech becomes text is the recogniser's that it is given; killing and restarting is process-engine.ts.

import { exitWithParent } from '../lib/child-process.ts'
import { collectGarbageEvery } from '../lib/garbage.ts'
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

/** How often a healthy process says so. */
export const HEARTBEAT_MS = 1000

export type WindowEvents = {
  /** the window is not wanted any more: whoever said that he stops throws the reason soon */
  signal: AbortSignal
  onProgress: (fraction: number) => void
  onSegment: (segment: Segment) => void
}

/** What runs in the process. It may block, loop and trap: the process is killed for it. */
export type Recogniser = {
  /**
   * Called once, before everything else.
   * @returns how many windows it hears side by side, one unless told, and whether it leaves off in the middle of one
   * @throws RecogniserFailure
   */
  load(
    model: ModelFile,
    threads: number,
    threadsTried: boolean,
  ): Promise<{ windows: number; stops?: boolean } | undefined>
  /** so many calls at a time that are `sideBySide`, and one that is not */
  transcribe(window: WindowInput, events: WindowEvents): Promise<WindowTranscript>
  /** uses the loaded model while nobody asks, so that the first who does need not wait for what it compiles */
  rehearse?(): void
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
 * A minute and a half of samples. What a window leaves behind, its samples twice and some more, gathers to 100 MB and more,
 * since the runtime takes the kernels' memory for heap that may grow by its half before it collects; a collection takes
 * 15 ms.
 */
const COLLECT_EVERY_SAMPLES = 90 * 16_000

/** Serves the parent process until it goes away. */
export const serveRecogniser = (recogniser: Recogniser) => {
  exitWithParent()
  setInterval(() => send({ kind: 'alive' }), HEARTBEAT_MS)
  const asked = new Map<number, AbortController>()
  const memory = createIdleMemory()
  const leaveBehind = collectGarbageEvery(COLLECT_EVERY_SAMPLES, 'at once')
  process.on('message', (request: ToRecogniser) => {
    if (request.kind === 'rehearse') return recogniser.rehearse?.()
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
