// Wraps dictation so that every transcription is reported to the metrics.

import type { Dictation } from '../../dictation/dictation.ts'
import type { Metrics } from './metrics-registry.ts'

export const measuredDictation = (
  dictation: Dictation,
  { transcribed }: Pick<Metrics, 'transcribed'>,
): Dictation => ({
  async transcribe(request) {
    const result = await dictation.transcribe(request)
    if (result.ok) {
      const { model, durationMs, processingMs } = result.value
      transcribed({ model, audioMs: durationMs, processingMs: processingMs.decode + processingMs.transcribe })
    }
    return result
  },
})
