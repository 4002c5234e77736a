// A recogniser that misbehaves on demand, by the language of a request. It replaces whisper.cpp, so that tests of the process
// supervision take milliseconds.

import { type Recogniser, RecogniserFailure, serveRecogniser } from '../../src/engine/recogniser.ts'

const ballast: Uint8Array[] = []
const never = new Promise<never>(() => {})
let isWaitedIn = false

const recogniser: Recogniser = {
  load: async (model, threads) => {
    if (model.name === 'traps') process.exit(134)
    if (model.name === 'foreign') throw new RecogniserFailure('model_unreadable', 'This is no model.')
    if (threads > 1) throw new RecogniserFailure('threads_broken', 'threads do not work here')
    return model.name === 'one by one' ? undefined : { windows: 4, stops: model.name === 'stops' }
  },
  transcribe: async ({ language }, { onProgress, signal }) => {
    onProgress(0.5)
    if (language === 'trap') process.exit(134)
    if (language === 'throw') throw new Error('unreachable executed')
    if (language === 'loop') for (;;);
    if (language === 'until stopped') {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    if (language === 'once' && isWaitedIn) await never
    if (language === 'wait') {
      isWaitedIn = true
      await never
    }
    if (language === 'grow') ballast.push(new Uint8Array(64_000_000).fill(1))
    return { language: String(process.pid), languageProbability: null, segments: [] }
  },
}

serveRecogniser(recogniser)
