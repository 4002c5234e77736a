// A recogniser that returns no text, loads every model but one, and never fails otherwise.

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
