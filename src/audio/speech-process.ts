// The speech detector's process: handles requests about decoded audio, one at a time. It is a separate process so that
// ending it frees all memory.

import { exitWithParent } from '../lib/child-process.ts'
import { levelled, readLevelled, SPEECH_FRAME_SAMPLES } from './speech-level.ts'
import type { SpeechAnswer, SpeechQuestion } from './speech-messages.ts'
import { loadSpeechModel, type SpeechModel } from './speech-model.ts'

const answer = (message: SpeechAnswer) => process.send?.(message)
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

exitWithParent()

const loading = loadSpeechModel()
let hasRequest = false
let turn: Promise<unknown> = loading.then(
  (model) => {
    answer({ kind: 'ready' })
    void warmUp(model)
  },
  (error) => answer({ kind: 'unloadable', message: messageOf(error) }),
)

process.on('message', (question: SpeechQuestion) => {
  hasRequest = true
  turn = turn.then(async () => {
    try {
      answer(await detect(question, await loading))
    } catch (error) {
      answer({ kind: 'problem', id: question.id, message: messageOf(error) })
    }
    // Without a collection, garbage grows to 40 MB (measured); a collection takes a few milliseconds.
    Bun.gc(true)
  })
})

/** Each piece takes a few milliseconds; the first ones compile the code that the others run. */
const WARM_UP_PIECES = 24
const PIECE_SAMPLES = 16 * SPEECH_FRAME_SAMPLES

/** Compiles the code that the first recording would otherwise have to wait for. Stops at the first request. */
async function warmUp(model: SpeechModel): Promise<void> {
  const noise = Float32Array.from({ length: PIECE_SAMPLES }, (_, i) => Math.sin(i * i))
  for (let piece = 0; piece < WARM_UP_PIECES; piece++) {
    // Lets the process receive requests.
    await new Promise(setImmediate)
    if (hasRequest) return
    model.listen(levelled(noise, 0, noise.length), null)
  }
}

async function detect(question: SpeechQuestion, model: SpeechModel): Promise<SpeechAnswer> {
  const samples = 'levelled' in question ? question.levelled : await readLevelled(question)
  const detected = await model.listen(samples, question.memory)
  return { kind: 'probabilities', id: question.id, ...detected }
}
