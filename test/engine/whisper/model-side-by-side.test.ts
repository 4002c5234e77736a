// Windows side by side: each has the same text as alone, and a window with precedence comes first.

import { afterAll, beforeAll, expect } from 'bun:test'
import { openModel, type WhisperModel } from '../../../src/engine/whisper/model.ts'
import { testAtLength } from '../../support/at-length.ts'
import { samplesOf } from '../../support/flac.ts'
import { bundledBytes } from '../../support/ggml.ts'
import { recordings } from '../../support/speech.ts'
import { readModel } from '../hearers.ts'

/** More than the eight windows that run side by side at most, so that some reuse the slots of others. */
const PIECES = 10
const LONGEST = 28 * 16_000

type Piece = { samples: Float32Array; previousText: string | undefined }

const models: Record<number, WhisperModel> = {}
let pieces: Piece[] = []
const alone: string[] = []

const transcribeWindow = (
  model: WhisperModel,
  { samples, previousText }: Piece,
  more: Partial<Hearing> = {},
) =>
  model.transcribe({
    ...{ samples, previousText, language: 'en', task: 'transcribe', prompt: null },
    strategy: { strategy: previousText === undefined ? 'beam where unsure' : 'beam' },
    signal: new AbortController().signal,
    ...more,
  })

type Hearing = Parameters<WhisperModel['transcribe']>[0]

const written = ({ segments }: Awaited<ReturnType<typeof transcribeWindow>>) => JSON.stringify(segments)

/** `count` windows at a time, two more in total than run at once. */
const hearTogether = async (model: WhisperModel, count: number) => {
  const texts: string[] = []
  const left = [...pieces.slice(0, count + 2).entries()]
  const hearOneByOne = async () => {
    for (let next = left.shift(); next; next = left.shift())
      texts[next[0]] = written(await transcribeWindow(model, next[1], { sideBySide: true }))
  }
  await Promise.all(Array.from({ length: count }, hearOneByOne))
  return texts
}

beforeAll(async () => {
  const bytes = await bundledBytes()
  for (const threads of [1, 2]) models[threads] = await openModel({ ...readModel(bytes), threads })
  const clips = recordings.map(({ file }) => file).filter((file) => /^[^/]+\.flac$/.test(file))
  const heard = await Promise.all(clips.map(samplesOf))
  const all = heard.flatMap((samples) =>
    Array.from({ length: Math.ceil(samples.length / LONGEST) }, (_, i) =>
      samples.slice(i * LONGEST, (i + 1) * LONGEST),
    ),
  )
  // From the whole list, so that noise and silence, short clips and long ones run beside each other.
  const step = all.length / Math.min(PIECES, all.length)
  pieces = all
    .filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
    .map((samples, i) => ({ samples, previousText: i % 3 === 2 ? 'That was said before.' : undefined }))
  for (const piece of pieces) alone.push(written(await transcribeWindow(models[2]!, piece)))
}, 120_000)

afterAll(() => Promise.all(Object.values(models).map((model) => model.close())))

for (const [windows, threads] of [
  [8, 2],
  [3, 1],
  [2, 2],
] as const)
  testAtLength(
    `gives ${windows} windows on ${threads} threads the same texts as alone`,
    async () => expect(await hearTogether(models[threads]!, windows)).toEqual(alone.slice(0, windows + 2)),
    120_000,
  )

testAtLength('finishes a window with precedence before the others continue', async () => {
  const model = models[2]!
  const order: string[] = []
  const begun = Promise.withResolvers<void>()
  const eight = pieces.slice(0, 8).map((piece, i) =>
    transcribeWindow(model, piece, {
      sideBySide: true,
      onProgress() {
        order.push(`window ${i}`)
        begun.resolve()
      },
    }),
  )
  await begun.promise
  const since = order.length
  const dictation = transcribeWindow(model, pieces.at(-1)!, {
    onProgress: () => void order.push('dictation'),
  })
  expect(written(await dictation)).toBe(alone.at(-1)!)
  const meanwhile = order.slice(since)
  const others = new Set(meanwhile.filter((who) => who !== 'dictation'))
  expect(others.size, 'one is encoded to its end').toBeLessThanOrEqual(1)
  expect(meanwhile.slice(meanwhile.indexOf('dictation')).filter((who) => who !== 'dictation')).toEqual([])
  expect((await Promise.all(eight)).map(written)).toEqual(alone.slice(0, 8))
})

testAtLength('does not affect the others when one is aborted', async () => {
  const model = models[2]!
  const stop = new AbortController()
  const onProgress = () => stop.abort()
  const [stopped, ...others] = pieces.slice(0, 4).map((piece, i) => ({ piece, i }))
  const ended = transcribeWindow(model, stopped!.piece, { sideBySide: true, signal: stop.signal, onProgress })
  const beside = others.map(({ piece }) => transcribeWindow(model, piece, { sideBySide: true }))
  expect(await ended.then(written, () => 'stopped')).toBe('stopped')
  expect((await Promise.all(beside)).map(written)).toEqual(alone.slice(1, 4))
})
