// Our own engine in this process, below the Engine contract, where the full window can be forced and each kernel run
// can be timed.

import { openBytes } from '../../../src/engine/bytes-on-disk.ts'
import { readGgmlFile } from '../../../src/engine/ggml-file.ts'
import { openModel } from '../../../src/engine/whisper/model.ts'
import type { Case, Peer, PeerResult } from './peer.ts'
import { type KernelName, type KernelRun, watchKernels } from './watch-kernels.ts'

export type Ours = Peer & {
  loadMs: number
  /** of the latest transcription */
  runs(): KernelRun[]
}

/** The first kernel of the encoder, in integers or in f32. */
const FIRST_OF_ENCODER: readonly KernelName[] = ['packRows', 'copyRows']

/** The time between two tokens is all that one takes: layers, vocabulary and sampling. */
const partsOf = (runs: KernelRun[]) => {
  const encodes = runs.find(({ kernel }) => FIRST_OF_ENCODER.includes(kernel))!.startedAt
  const tokens = runs.filter(({ kernel }) => kernel === 'embed').map(({ startedAt }) => startedAt)
  const [first, last] = [tokens[0]!, tokens.at(-1)!]
  return { encodeMs: first - encodes, tokenMs: (last - first) / (tokens.length - 1) }
}

/** @param trim whether the window may be shorter than 30 s */
export const openOurs = async (
  { clip, model, threads }: Case,
  { trim }: { trim: boolean },
): Promise<Ours> => {
  const openedAt = performance.now()
  using source = openBytes(model.path)
  const file = readGgmlFile(source)
  if (!file.ok) throw new Error(file.failure.message)
  const watched = watchKernels()
  const opened = await openModel({ source, file: file.value, threads, open: watched.open })
  const loadMs = performance.now() - openedAt
  let runs: KernelRun[] = []
  return {
    name: 'ours',
    loadMs,
    runs: () => runs,
    async transcribe(): Promise<PeerResult> {
      watched.takeRuns()
      // A copy each time, because the engine caches the log-mel of audio by its identity.
      const samples = clip.samples.slice()
      const startedAt = performance.now()
      const { segments } = await opened.transcribe({
        samples,
        language: clip.language,
        task: 'transcribe',
        prompt: null,
        signal: new AbortController().signal,
        strategy: { temperatures: [0] },
        trim,
      })
      const endedAt = performance.now()
      runs = watched.takeRuns()
      const text = segments.map((segment) => segment.text.trim()).join(' ')
      return { ms: endedAt - startedAt, text, ...partsOf(runs) }
    },
    close: opened.close,
  }
}
