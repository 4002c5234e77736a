// The speech detector's own process: answers questions about ranges of decoded recordings, one at a time.
// Started and ended by speech-host.ts alone; a process of its own so that ending it gives all memory back.

import { serveParentAlone } from '../lib/child-process.ts'
import { levelled, readLevelled } from './levelled.ts'
import { SPEECH_FRAME_SAMPLES } from './speech-frame.ts'
import type { SpeechAnswer, SpeechQuestion } from './speech-messages.ts'
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
