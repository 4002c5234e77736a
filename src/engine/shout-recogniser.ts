// The entry point of the whisper.cpp process: runs shout as a Recogniser.

import { loadShout, SHOUT_MAX_MODEL_BYTES, type Shout, type ShoutSegment } from '../../wasm/shout/shout.ts'
import { isInside, readInside } from '../lib/own-files.ts'
import { type ModelFile, SAMPLE_RATE, type Segment } from './engine.ts'
import { bytesInMemory, readGgmlFile } from './ggml-file.ts'
import { memoryForModel } from './machine-memory.ts'
import { createProbeModel } from './probe-model.ts'
import { type Recogniser, RecogniserFailure, serveRecogniser } from './recogniser.ts'
import { firstSpecialToken, segmentOf } from './words.ts'

/** whisper.cpp returns no text for less than a second. */
const MIN_SAMPLES = Math.round(1.1 * SAMPLE_RATE)

/** The probe takes 0.1 s; threads that have not started by the deadline never do. */
const PROBE_DEADLINE_MS = 20_000

/** The file's bytes, and whisper.cpp's copy of them. */
const ROOM_PER_BYTE = 2
/** tiny takes 200 MB in total */
const ROOM_BESIDE_MODEL = 150_000_000

type LoadedModel = { multilingual: boolean; vocabulary: Uint8Array[] }

const atLeast = (samples: Float32Array, count: number) => {
  if (samples.length >= count) return samples
  const padded = new Float32Array(count)
  padded.set(samples)
  return padded
}

const tryThreads = async (shout: Shout, threads: number) => {
  shout.openModel(createProbeModel())
  const late = Promise.withResolvers<never>()
  const fail = () =>
    late.reject(new RecogniserFailure('threads_broken', `${threads} threads do not work here`))
  const timer = setTimeout(fail, PROBE_DEADLINE_MS)
  const samples = new Float32Array(MIN_SAMPLES)
  const request = { samples, language: 'en', translate: false, threads, onProgress() {}, onSegment() {} }
  await Promise.race([shout.transcribe(request), late.promise])
  clearTimeout(timer)
}

const readModel = async (model: ModelFile): Promise<LoadedModel & { bytes: Uint8Array }> => {
  if (model.bytes > SHOUT_MAX_MODEL_BYTES) {
    const message = `${model.name} is too large for whisper.cpp in WebAssembly; take a quantized file of it.`
    throw new RecogniserFailure('model_unreadable', message)
  }
  if (ROOM_PER_BYTE * model.bytes + ROOM_BESIDE_MODEL > memoryForModel()) {
    const message = `${model.name} needs more memory than this machine has for a model; take a smaller one.`
    throw new RecogniserFailure('model_unreadable', message)
  }
  const bytes = await readWhole(model.path).catch(() => {
    throw new RecogniserFailure('model_unreadable', `The file of ${model.name} cannot be read.`)
  })
  const file = readGgmlFile(bytesInMemory(bytes))
  if (!file.ok) throw new RecogniserFailure('model_unreadable', file.failure.message)
  return { bytes, multilingual: file.value.multilingual, vocabulary: file.value.vocabulary }
}

const readWhole = async (path: string): Promise<Uint8Array> =>
  isInside(path) ? readInside(path) : Bun.file(path).bytes()

const segmentFrom = (segment: ShoutSegment, { multilingual, vocabulary }: LoadedModel): Segment => {
  const end = firstSpecialToken(multilingual)
  const tokens = segment.tokens
    .filter(({ id }) => id < end)
    .map(({ id, p, offsets }) => ({
      bytes: vocabulary[id] ?? new Uint8Array(0),
      startMs: offsets.from,
      endMs: offsets.to,
      probability: p,
    }))
  return segmentOf(tokens, segment.offsets.from, segment.offsets.to)
}

const createShoutRecogniser = (): Recogniser => {
  const loading = loadShout()
  let loaded: LoadedModel | null = null
  let threads = 1

  return {
    load: async (model, threadsWanted, threadsTried) => {
      const shout = await loading
      threads = threadsWanted
      const { bytes, ...rest } = await readModel(model)
      if (threads > 1 && !threadsTried) await tryThreads(shout, threads)
      try {
        shout.openModel(bytes)
      } catch {
        throw new RecogniserFailure('model_unreadable', `whisper.cpp cannot read the file of ${model.name}.`)
      }
      loaded = rest
    },

    transcribe: async ({ samples, language, task }, { onProgress, onSegment }) => {
      if (!loaded) throw new Error('no model is loaded')
      const model = loaded
      const fallback = model.multilingual ? 'auto' : 'en'
      const { result, transcription } = await (await loading).transcribe({
        samples: atLeast(samples, MIN_SAMPLES),
        language: model.multilingual ? (language ?? fallback) : fallback,
        translate: task === 'translate',
        threads,
        onProgress: (percent) => onProgress(percent / 100),
        onSegment: (segment) => onSegment(segmentFrom(segment, model)),
      })
      const segments = transcription.map((segment) => segmentFrom(segment, model))
      return { language: result.language, languageProbability: null, segments }
    },
  }
}

serveRecogniser(createShoutRecogniser())
