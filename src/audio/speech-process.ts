// The speech detector's own process: answers questions about ranges of decoded recordings, one at a time.
// Started and ended by speech-host.ts alone; a process of its own so that ending it gives all memory back.

import { serveParentAlone } from '../lib/child-process.ts'
import { readPcm } from './pcm.ts'
import { LEVEL_BLOCK_SAMPLES, SPEECH_FRAME_SAMPLES } from './speech-frame.ts'
import { blockLevel, detectorGain } from './speech-level.ts'
import type { RangeOfFile, SpeechAnswer, SpeechQuestion } from './speech-messages.ts'
import { loadSpeechModel, type SpeechModel } from './speech-model.ts'

const answer = (message: SpeechAnswer) => process.send?.(message)
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

serveParentAlone()

const loading = loadSpeechModel()
let asked = false
let turn: Promise<unknown> = loading.then(
  (model) => {
    answer({ kind: 'ready' })
    void rehearse(model)
  },
  (error) => answer({ kind: 'unloadable', message: messageOf(error) }),
)

process.on('message', (question: SpeechQuestion) => {
  asked = true
  turn = turn.then(async () => {
    try {
      answer(await listenTo(question, await loading))
    } catch (error) {
      answer({ kind: 'problem', id: question.id, message: messageOf(error) })
    }
    // Uncollected, what ranges leave behind comes to 40 MB (measured); a collection costs some milliseconds.
    Bun.gc(true)
  })
})

/** In pieces of some milliseconds, the first of which compile what the others run. */
const REHEARSED_PIECES = 24
const PIECE_SAMPLES = 16 * SPEECH_FRAME_SAMPLES

/** Nobody waits yet: what the first recording would otherwise have compiled is, until somebody comes. */
async function rehearse(model: SpeechModel): Promise<void> {
  const noise = Float32Array.from({ length: PIECE_SAMPLES }, (_, i) => Math.sin(i * i))
  for (let piece = 0; piece < REHEARSED_PIECES; piece++) {
    // What has come meanwhile is taken in.
    await new Promise(setImmediate)
    if (asked) return
    model.listen(levelled(noise, 0, noise.length), null)
  }
}

async function listenTo(question: SpeechQuestion, model: SpeechModel): Promise<SpeechAnswer> {
  const samples = 'levelled' in question ? question.levelled : await readLevelled(question)
  const heard = await model.listen(samples, question.memory)
  return { kind: 'probabilities', id: question.id, ...heard }
}

/** Reads the range with a block on each side, so that a block's gain is the same wherever ranges begin. */
async function readLevelled({ path, samples, fromSample, toSample }: RangeOfFile): Promise<Float32Array> {
  const readFrom = Math.max(0, fromSample - LEVEL_BLOCK_SAMPLES)
  const readTo = Math.min(samples, toSample + LEVEL_BLOCK_SAMPLES)
  const audio = await readPcm({ path, samples }, readFrom, readTo)
  return levelled(audio, fromSample - readFrom, toSample - readFrom)
}

/** @returns that part of the audio, which is changed in place; it begins with a block */
function levelled(audio: Float32Array, from: number, to: number): Float32Array {
  const levels: number[] = []
  for (let start = 0; start < audio.length; start += LEVEL_BLOCK_SAMPLES) {
    levels.push(blockLevel(audio.subarray(start, start + LEVEL_BLOCK_SAMPLES)))
  }
  const range = audio.subarray(from, to)
  const firstBlock = from / LEVEL_BLOCK_SAMPLES
  for (let start = 0; start < range.length; start += LEVEL_BLOCK_SAMPLES) {
    const block = firstBlock + start / LEVEL_BLOCK_SAMPLES
    const gain = detectorGain(levels.slice(Math.max(0, block - 1), block + 2))
    const end = Math.min(range.length, start + LEVEL_BLOCK_SAMPLES)
    for (let i = start; i < end; i++) range[i] = range[i]! * gain
  }
  return range
}
