// A recogniser that hears nothing in anything, reads every model but one, and never breaks otherwise.
// Stands where whisper.cpp would, for the tests of the engine that falls back to it.

import { serveRecogniser } from '../../src/engine/recogniser.ts'

serveRecogniser({
  load: async (model) => {
    if (model.name === 'traps') process.exit(134)
  },
  transcribe: async (_window, { onProgress }) => {
    onProgress(0.5)
    return { language: 'en', languageProbability: null, segments: [] }
  },
})
