// Chooses the device of a model and opens it there: the GPU if the user wants it and the model has passed a trial on this
// GPU, otherwise the CPU.

import { readFileSync } from 'node:fs'
import { release } from 'node:os'
import type { ComputeDevice } from '../engine.ts'
import type { GgmlFile, RandomAccess } from '../ggml-file.ts'
import type { CreateCompute } from '../whisper/compute.ts'
import type { WhisperModel } from '../whisper/model.ts'
import { DAWN_PACKAGE, installedDawn } from './dawn-package.ts'
import { adapterOfDawn, adapterOfRuntime, type Gpu, openGpu, type RequestAdapter } from './device.ts'
import { computeOnGpu } from './gpu-compute.ts'
import type { GpuRequest } from './gpu-request.ts'
import { compareModels } from './trial.ts'
import { noteTrial, readTrials, type TrialOutcome } from './trials.ts'

/** Increases with each change to the shaders, after which every model is tried again. */
const GPU_VERSION = '2'

/** tiny and base are quick enough on a CPU. */
const MIN_WIDTH = 768

type Opened = { model: WhisperModel; device: ComputeDevice }

type Options = {
  request: GpuRequest
  source: RandomAccess
  file: GgmlFile
  modelName: string
  /** @param compute undefined: on the CPU */
  open(compute?: CreateCompute): Promise<WhisperModel>
  /** for tests: another adapter, which may be software and slow */
  requestAdapter?: RequestAdapter
  allowSoftware?: boolean
  deadlineMs?: number
}

/** @throws what opening the model on the CPU throws */
export const openOnBestDevice = async (options: Options): Promise<Opened> => {
  const { request, source, file, modelName, open, allowSoftware = false, deadlineMs } = options
  const onCpu = async (reason: string): Promise<Opened> => ({
    model: await open(),
    device: { gpu: null, reason },
  })
  if (request.use === 'cpu') return onCpu('The engine is set to cpu.')
  if (request.use === 'auto' && file.shape.audioWidth < MIN_WIDTH)
    return onCpu('Small models are quick enough on the CPU.')
  const requestAdapter = options.requestAdapter ?? installedAdapter(request.folder)
  if (!requestAdapter) return onCpu('No GPU library is installed: dictation gpu install')

  const key = keyOf(source, request)
  const known = (await readTrials(request.folder))[key]
  if (known?.state === 'trying')
    return onCpu('The last attempt on the GPU ended the process: dictation gpu retry tries it again.')
  try {
    await noteTrial(request.folder, key, { state: 'trying', model: modelName, previous: known ?? null })
  } catch (error) {
    return onCpu(`The GPU is not tried without a note on disk: ${reasonOf(error, request)}.`)
  }
  // If this fails, the note above remains, and the GPU is not used next time.
  const note = (outcome: TrialOutcome | null) => noteTrial(request.folder, key, outcome).catch(() => {})

  let gpu: Gpu
  try {
    gpu = await openGpu({ requestAdapter, allowSoftware, deadlineMs })
  } catch (error) {
    await note(known ?? null)
    return onCpu(`The GPU cannot be used: ${reasonOf(error, request)}.`)
  }
  const { name, identity } = gpu
  const isSameGpu = known !== undefined && Bun.deepEquals(known.adapter, [...identity])
  const outcomeOf = (state: TrialOutcome['state'], reason: string): TrialOutcome => ({
    ...{ state, reason },
    model: modelName,
    adapter: [...identity],
  })
  const instead = async (outcome: TrialOutcome, model?: WhisperModel): Promise<Opened> => {
    gpu.close()
    await note(outcome)
    if (!model) return onCpu(outcome.reason)
    return { model, device: { gpu: null, reason: outcome.reason } }
  }

  if (isSameGpu && known.state === 'failed') return instead(known)
  if (isSameGpu) {
    try {
      const model = await open(computeOnGpu(gpu))
      await note(known)
      return { model, device: { gpu: name, reason: known.reason } }
    } catch (error) {
      // Another program may be using its memory, so this result is not stored.
      gpu.close()
      await note(known)
      return onCpu(`The model could not be loaded on the GPU: ${reasonOf(error, request)}.`)
    }
  }
  return await firstTrial()

  async function firstTrial(): Promise<Opened> {
    let cpuModel: WhisperModel
    try {
      cpuModel = await open()
    } catch (error) {
      gpu.close()
      await note(null)
      throw error
    }
    let gpuModel: WhisperModel | null = null
    try {
      gpuModel = await open(computeOnGpu(gpu))
      const { isRight, isFaster, reason } = await compareModels({ cpu: cpuModel, gpu: gpuModel }, file.shape)
      const passes = isRight && (isFaster || request.use === 'gpu')
      if (!passes) {
        await gpuModel.close()
        return await instead(outcomeOf('failed', reason), cpuModel)
      }
      await cpuModel.close()
      await note(outcomeOf('passed', reason))
      return { model: gpuModel, device: { gpu: name, reason } }
    } catch (error) {
      await gpuModel?.close()
      const reason = `The trial on the GPU failed: ${reasonOf(error, request)}.`
      return await instead(outcomeOf('failed', reason), cpuModel)
    }
  }
}

const installedAdapter = (gpuFolder: string): RequestAdapter | null => {
  const own = adapterOfRuntime()
  if (own) return own
  const file = installedDawn(gpuFolder)
  return file ? adapterOfDawn(file) : null
}

/** On one line, and without the path of the user's folder. */
const reasonOf = (error: unknown, { folder }: GpuRequest): string =>
  (error instanceof Error ? error.message : String(error))
    .replaceAll(folder, '…')
    .replace(/\s+/g, ' ')
    .slice(0, 300)
    .replace(/\.$/, '')

/** Pieces of a model file that identify it: hashing all of a large file would take a second at each load. */
const PIECES = 64
const PIECE_BYTES = 16_384

const keyOf = (source: RandomAccess, { use }: GpuRequest): string => {
  const hasher = new Bun.CryptoHasher('sha256')
  hasher.update(JSON.stringify([GPU_VERSION, DAWN_PACKAGE.version, driverHere(), use, source.length]))
  for (let piece = 0; piece < PIECES; piece += 1) {
    const at = Math.floor((piece * Math.max(0, source.length - PIECE_BYTES)) / (PIECES - 1))
    hasher.update(source.read(at, Math.min(PIECE_BYTES, source.length)))
  }
  return hasher.digest('hex')
}

/** Drivers come with the system, except NVIDIA's on Linux. */
const driverHere = (): string => {
  try {
    return `${release()} ${readFileSync('/proc/driver/nvidia/version', 'utf8')}`
  } catch {
    return release()
  }
}
