// The entry point of the whisper-simd process: runs our own Whisper as a Recogniser.

import { OutOfKernelMemory, ThreadsBroken } from '../../wasm/whisper/kernels.ts'
import { openBytes } from './bytes-on-disk.ts'
import type { ModelFile } from './engine.ts'
import { type GgmlFile, type RandomAccess, readGgmlFile } from './ggml-file.ts'
import { type GpuModel, withCpuFallback } from './gpu/cpu-fallback.ts'
import { openOnBestDevice } from './gpu/open-on-gpu.ts'
import { type Recogniser, RecogniserFailure, serveRecogniser } from './recogniser.ts'
import { InsufficientMemory } from './whisper/memory.ts'
import { openModel } from './whisper/model.ts'
import { KernelsBroken } from './whisper/self-test.ts'
import { warmUpModel } from './whisper/warm-up.ts'
import { UnusableWeights } from './whisper/weights.ts'

const failureOf = (model: ModelFile, error: unknown) => {
  if (error instanceof ThreadsBroken) return new RecogniserFailure('threads_broken', error.message)
  if (error instanceof UnusableWeights || error instanceof OutOfKernelMemory) {
    return new RecogniserFailure(
      'model_unreadable',
      `The file of ${model.name} cannot be used: ${error.message}.`,
    )
  }
  if (error instanceof InsufficientMemory)
    return new RecogniserFailure('model_unreadable', `${model.name} ${error.message}.`)
  if (error instanceof KernelsBroken) {
    const message = `The engine’s self-test fails on this machine: ${error.message}.`
    return new RecogniserFailure('model_unreadable', message)
  }
  // The file system's messages contain paths, so they are not passed on.
  if (error instanceof Error && 'syscall' in error) return unreadable(model)
  return error
}

const unreadable = ({ name }: ModelFile) =>
  new RecogniserFailure('model_unreadable', `The file of ${name} cannot be read.`)

const openFile = (model: ModelFile) => {
  try {
    return openBytes(model.path)
  } catch {
    throw unreadable(model)
  }
}

/** @throws RecogniserFailure */
const readFile = (source: RandomAccess): GgmlFile => {
  const file = readGgmlFile(source)
  if (!file.ok) throw new RecogniserFailure('model_unreadable', file.failure.message)
  return file.value
}

const createWhisperRecogniser = (): Recogniser => {
  let loaded: GpuModel | null = null
  let modelBytes = 0
  let endWarmUp = async () => {}

  return {
    load: async (model, threads, _threadsTried, request) => {
      using source = openFile(model)
      try {
        const file = readFile(source)
        const opened = await openOnBestDevice({
          request,
          source,
          file,
          modelName: model.name,
          open: (compute) => openModel({ source, file, threads, compute }),
        })
        loaded = withCpuFallback(opened, async () => {
          using again = openFile(model)
          return await openModel({ source: again, file: readFile(again), threads })
        })
        modelBytes = model.bytes
        return { windows: loaded.windows, stops: true }
      } catch (error) {
        throw failureOf(model, error)
      }
    },

    device: () => loaded?.device() ?? null,

    warmUp() {
      if (!loaded) return
      const ending = new AbortController()
      const running = warmUpModel(loaded, { modelBytes, signal: ending.signal })
      endWarmUp = async () => {
        ending.abort()
        await running
      }
    },

    transcribe: async ({ preferences, secondPass, draft, preview, ...window }, events) => {
      if (!loaded) throw new Error('no model is loaded')
      await endWarmUp()
      const { languages, noSpeechThreshold } = preferences ?? {}
      return await loaded.transcribe({
        ...window,
        languages,
        ...events,
        sameSamples: secondPass !== undefined,
        previousText: secondPass?.previousText,
        wordTimes: secondPass === undefined,
        strategy: {
          strategy: secondPass ? 'beam' : draft || preview ? 'greedy' : 'beam where unsure',
          ...(preview && { temperatures: [0], retriesInFull: false }),
          ...(noSpeechThreshold !== undefined && { noSpeechThreshold }),
        },
      })
    },
  }
}

serveRecogniser(createWhisperRecogniser())
