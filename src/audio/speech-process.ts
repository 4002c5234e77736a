// The speech detector's own process: answers questions about stretches of decoded recordings, one at a time.
// Started and ended by speech-host.ts alone; a process of its own so that ending it gives all memory back.

import { serveParentAlone } from '../lib/child-process.ts'
import { readPcm } from './pcm.ts'
import { LEVEL_BLOCK_SAMPLES } from './speech-frame.ts'
import { blockLevel, detectorGain } from './speech-level.ts'
import type { SpeechAnswer, SpeechQuestion, StretchOfFile } from './speech-messages.ts'
import { loadSpeechModel, type SpeechModel } from './speech-model.ts'

const answer = (message: SpeechAnswer) => process.send?.(message)
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

serveParentAlone()

const loading = loadSpeechModel()
let turn: Promise<unknown> = loading.then(
  () => answer({ kind: 'ready' }),
  (error) => answer({ kind: 'unloadable', message: messageOf(error) }),
)

process.on('message', (question: SpeechQuestion) => {
  turn = turn.then(async () => {
    try {
      answer(await listenTo(question, await loading))
    } catch (error) {
      answer({ kind: 'problem', id: question.id, message: messageOf(error) })
    }
    // Uncollected, what stretches leave behind comes to 40 MB (measured); a collection costs some milliseconds.
    Bun.gc(true)
  })
})

async function listenTo(question: SpeechQuestion, model: SpeechModel): Promise<SpeechAnswer> {
  const samples = 'levelled' in question ? question.levelled : await readLevelled(question)
  const heard = await model.listen(samples, question.memory)
  return { kind: 'probabilities', id: question.id, ...heard }
}

/** Reads the stretch with a block on each side, so that a block's gain is the same wherever stretches begin. */
async function readLevelled({ path, samples, fromSample, toSample }: StretchOfFile): Promise<Float32Array> {
  const readFrom = Math.max(0, fromSample - LEVEL_BLOCK_SAMPLES)
  const readTo = Math.min(samples, toSample + LEVEL_BLOCK_SAMPLES)
  const audio = await readPcm({ path, samples }, readFrom, readTo)

  const levels: number[] = []
  for (let start = 0; start < audio.length; start += LEVEL_BLOCK_SAMPLES) {
    levels.push(blockLevel(audio.subarray(start, start + LEVEL_BLOCK_SAMPLES)))
  }
  const stretch = audio.subarray(fromSample - readFrom, toSample - readFrom)
  const firstBlock = (fromSample - readFrom) / LEVEL_BLOCK_SAMPLES
  for (let start = 0; start < stretch.length; start += LEVEL_BLOCK_SAMPLES) {
    const block = firstBlock + start / LEVEL_BLOCK_SAMPLES
    const gain = detectorGain(levels.slice(Math.max(0, block - 1), block + 2))
    const end = Math.min(stretch.length, start + LEVEL_BLOCK_SAMPLES)
    for (let i = start; i < end; i++) stretch[i] = stretch[i]! * gain
  }
  return stretch
}
