// The speech detector's process: handles requests about decoded audio, one at a time. It is a separate process so that
// ending it frees all memory.

import { serveParent } from '../supervisor/serve-parent.ts'
import { readScaled, SPEECH_FRAME_SAMPLES, scaled } from './speech-level.ts'
import type { SpeechAnswer, SpeechQuestion, SpeechRequest } from './speech-messages.ts'
import { loadSpeechModel, type SpeechModel } from './speech-model.ts'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const loading = loadSpeechModel()
const loaded: Promise<SpeechAnswer> = loading.then(
  () => ({ kind: 'loaded' }),
  (error) => ({ kind: 'unloadable', message: messageOf(error) }),
)
let hasRequest = false
let turn = loaded

serveParent<SpeechRequest, never, SpeechAnswer>({
  answer(request) {
    if (request.kind === 'load') return loaded
    hasRequest = true
    turn = turn.then(() => detect(request.question))
    return turn
  },
  tidy({ kind }) {
    if (kind === 'load') loading.then(warmUp, () => {})
    // Without a collection, garbage grows to 40 MB (measured); a collection takes a few milliseconds.
    else Bun.gc(true)
  },
})

async function detect(question: SpeechQuestion): Promise<SpeechAnswer> {
  try {
    const model = await loading
    const samples = 'scaled' in question ? question.scaled : await readScaled(question)
    return { kind: 'probabilities', ...(await model.detect(samples, question.memory)) }
  } catch (error) {
    return { kind: 'problem', message: messageOf(error) }
  }
}

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
    model.detect(scaled(noise, 0, noise.length), null)
  }
}
