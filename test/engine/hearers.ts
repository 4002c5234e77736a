// Transcribes an utterance with an engine, or with our own model through the full window of 30 s. Shout always uses the full
// window; the engine trims it for short clips, which changes texts.

import type { Engine, WindowTranscript } from '../../src/engine/engine.ts'
import { bytesInMemory, readGgmlFile } from '../../src/engine/ggml-file.ts'
import { countedTokens } from '../../src/engine/whisper/decoding/segments.ts'
import { openModel } from '../../src/engine/whisper/model.ts'
import { bundledModel } from '../support/ggml.ts'

export type Transcription = {
  text: string
  /** text tokens and timestamps; null if only the text is known */
  tokens: number[] | null
  /** whether some were sampled at a temperature above 0; null if unknown */
  sampled: boolean | null
}

export type Transcriber = {
  /** @throws if the engine fails */
  transcribe(samples: Float32Array): Promise<Transcription>
  close(): Promise<void>
}

const requestOf = (samples: Float32Array) => ({
  samples,
  language: 'en',
  task: 'transcribe' as const,
  prompt: null,
  signal: new AbortController().signal,
})

const textOf = ({ segments }: WindowTranscript) => segments.map(({ text }) => text).join(' ')

export const byContract = (engine: Engine): Transcriber => ({
  transcribe: async (samples) => {
    const result = await engine.transcribe({ model: bundledModel, ...requestOf(samples) })
    if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`)
    return { text: textOf(result.value), tokens: null, sampled: null }
  },
  close: () => engine.close(),
})

/** Reads a whole model file. */
export const readModel = (bytes: Uint8Array) => {
  const source = bytesInMemory(bytes)
  const file = readGgmlFile(source)
  if (!file.ok) throw new Error(file.failure.message)
  return { source, file: file.value }
}

/** The bytes of each text token. @param bytes a whole model file */
export const readVocabulary = (bytes: Uint8Array): Uint8Array[] => readModel(bytes).file.vocabulary

/** @param bytes a whole model file */
export const throughFullWindow = async (bytes: Uint8Array, threads: number): Promise<Transcriber> => {
  const model = await openModel({ ...readModel(bytes), threads })
  return {
    transcribe: async (samples) => {
      const tokens: number[] = []
      let sampled = false
      const transcript = await model.transcribe({
        ...requestOf(samples),
        trim: false,
        onPiece: (piece) => {
          sampled ||= piece.temperature > 0
          if (!piece.silent) tokens.push(...countedTokens(piece).map(({ id }) => id))
        },
      })
      return { text: textOf(transcript), tokens, sampled }
    },
    close: () => model.close(),
  }
}
