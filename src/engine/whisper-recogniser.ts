// The entry point of the whisper-simd process: runs our own Whisper as a Recogniser.

import { OutOfKernelMemory, ThreadsBroken } from '../../wasm/whisper/kernels.ts'
import { openBytes } from './bytes-on-disk.ts'
import type { ComputeDevice, ModelFile, Segment } from './engine.ts'
import { type GgmlFile, type RandomAccess, readGgmlFile } from './ggml-file.ts'
import { GpuFailure } from './gpu/device.ts'
import { openOnBestDevice } from './gpu/open-on-gpu.ts'
import { type Recogniser, RecogniserFailure, serveRecogniser, type WindowEvents } from './recogniser.ts'
import { InsufficientMemory } from './whisper/memory.ts'
import { openModel, type WhisperModel } from './whisper/model.ts'
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

/** For a window that is transcribed again: what the caller has received is not emitted twice. */
const withoutRepeats = ({ signal, onProgress, onSegment }: WindowEvents): WindowEvents => {
  let emittedToMs = Number.NEGATIVE_INFINITY
  let fraction = 0
  return {
    signal,
    onSegment(segment: Segment) {
      if (segment.startMs < emittedToMs) return
      emittedToMs = segment.endMs
      onSegment(segment)
    },
    onProgress(reached) {
      if (reached <= fraction) return
      fraction = reached
      onProgress(reached)
    },
  }
}

const createWhisperRecogniser = (): Recogniser => {
  let loaded: WhisperModel | null = null
  let device: ComputeDevice | null = null
  let modelBytes = 0
  let endWarmUp = async () => {}
  let reopenOnCpu: () => Promise<WhisperModel> = () => Promise.reject(new Error('no model is loaded'))
  let leaving: Promise<void> | null = null

  /** Once for all windows that the GPU has failed; it stays off for the life of this process. */
  const leaveGpu = (failure: GpuFailure) => {
    // The other windows of the failed model still run on its kernels, so these are not closed.
    leaving ??= (async () => {
      loaded = await reopenOnCpu()
      device = { gpu: null, reason: `The GPU failed and is no longer used: ${failure.message}.` }
    })()
    return leaving
  }

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
          open: (compute) => openModel({ source, file, threads, compute: compute ?? undefined }),
        })
        loaded = opened.model
        device = opened.device
        modelBytes = model.bytes
        reopenOnCpu = async () => {
          using again = openFile(model)
          try {
            return await openModel({ source: again, file: readFile(again), threads })
          } catch (error) {
            throw failureOf(model, error)
          }
        }
        return { windows: loaded.windows, stops: true }
      } catch (error) {
        throw failureOf(model, error)
      }
    },

    device: () => device,

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
      const request: Parameters<WhisperModel['transcribe']>[0] = {
        ...window,
        languages,
        ...(device?.gpu ? withoutRepeats(events) : events),
        sameSamples: secondPass !== undefined,
        previousText: secondPass?.previousText,
        wordTimes: secondPass === undefined,
        strategy: {
          strategy: secondPass ? 'beam' : draft || preview ? 'greedy' : 'beam where unsure',
          ...(preview && { temperatures: [0], retriesInFull: false }),
          ...(noSpeechThreshold !== undefined && { noSpeechThreshold }),
        },
      }
      try {
        return await loaded.transcribe(request)
      } catch (error) {
        if (!(error instanceof GpuFailure)) throw error
        await leaveGpu(error)
        return await loaded.transcribe(request)
      }
    },
  }
}

serveRecogniser(createWhisperRecogniser())
