// Counts what dictation hears, whoever asked for it.
// What is done with the numbers is metrics-registry.ts.

import type { Dictation } from '../../dictation/dictation.ts'
import type { Metrics } from './metrics-registry.ts'

export const measuredDictation = (dictation: Dictation, { heard }: Pick<Metrics, 'heard'>): Dictation => ({
  async transcribe(request) {
    const result = await dictation.transcribe(request)
    if (result.ok) {
      const { model, durationMs, processingMs } = result.value
      heard({ model, audioMs: durationMs, processingMs: processingMs.decode + processingMs.transcribe })
    }
    return result
  },
})
