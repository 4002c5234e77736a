// The word errors that the trimmed window adds: all short recordings of test/speech through it and through the full
// one.

import { openBytes } from '../../../src/engine/bytes-on-disk.ts'
import type { ModelFile } from '../../../src/engine/engine.ts'
import { readGgmlFile } from '../../../src/engine/ggml-file.ts'
import { openModel, type WhisperModel } from '../../../src/engine/whisper/model.ts'
import { samplesOf } from '../../../test/support/flac.ts'
import { type Recording, recordings, wordsApart, wordsOf } from '../../../test/support/speech.ts'
import type { Row } from '../table.ts'

/** Those in formats/ repeat some of the others. All are in English. */
const isShort = ({ file, text, seconds }: Recording) =>
  seconds < 25 && text !== '' && /^[^/]+\.flac$/.test(file)

const open = async (model: ModelFile): Promise<WhisperModel> => {
  using source = openBytes(model.path)
  const file = readGgmlFile(source)
  if (!file.ok) throw new Error(file.failure.message)
  return await openModel({ source, file: file.value, threads: 2 })
}

/** Greedy, as for drafts, with temperature fallback, and again with the full window if a guard rejects the result. */
const transcribe = async (model: WhisperModel, samples: Float32Array, trim: boolean) => {
  let again = 0
  const { segments } = await model.transcribe({
    samples,
    trim,
    language: 'en',
    task: 'transcribe',
    prompt: null,
    signal: new AbortController().signal,
    onPiece: ({ trimFault }) => {
      if (trimFault) again = 1
    },
  })
  return { text: segments.map(({ text }) => text).join(' '), again }
}

export const measureTrimming = async (model: ModelFile): Promise<Row> => {
  const opened = await open(model)
  const short = recordings.filter(isShort)
  const sum = { words: 0, trimmed: 0, full: 0, again: 0 }
  for (const { file, text } of short) {
    const samples = await samplesOf(file)
    const trimmed = await transcribe(opened, samples, true)
    const full = await transcribe(opened, samples, false)
    sum.words += wordsOf(text).length
    sum.trimmed += wordsApart(trimmed.text, text)
    sum.full += wordsApart(full.text, text)
    sum.again += trimmed.again
  }
  await opened.close()
  const points = (100 * (sum.trimmed - sum.full)) / sum.words
  return {
    what: `${model.name}: word errors added by the trimmed window`,
    value: `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(2)} points`,
    goal: '≤ 0.5 points',
    note: `of ${sum.words} words in ${short.length} clips under 25 s, ${sum.trimmed} were wrong, and ${sum.full} through the full window; ${sum.again} clips were transcribed again`,
  }
}
