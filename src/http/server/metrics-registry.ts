// Metrics that are counted while the server runs: requests, transcriptions, webhook deliveries. Held in memory only.
// Metrics that are read at each scrape (queue, captures, memory) are in service/metrics.ts.

import Counter from 'prom-client/lib/counter.js'
import Histogram from 'prom-client/lib/histogram.js'
import Registry from 'prom-client/lib/registry.js'
import type { Dictation } from '../../dictation/dictation.ts'

/** `route` is the template, never the path: paths contain ids, and would give an unbounded number of labels. */
export type Answered = { method: string; route: string | null; status: number; seconds: number }

export type TranscriptionMeasured = { model: string; audioMs: number; processingMs: number }

export type Metrics = {
  registry: Registry
  answered(answered: Answered): void
  transcribed(transcription: TranscriptionMeasured): void
  delivered(outcome: string): void
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'dictation_http_requests_total',
    help: 'Responses, by route template and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const latencies = new Histogram({
    name: 'dictation_http_request_duration_seconds',
    help: 'Time until the response started; for streams, until the first byte.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    registers,
  })
  const audio = new Counter({
    name: 'dictation_audio_seconds_total',
    help: 'Seconds of transcribed audio.',
    labelNames: ['model'],
    registers,
  })
  const processing = new Counter({
    name: 'dictation_transcription_seconds_total',
    help: 'Seconds spent on decoding and transcribing audio.',
    labelNames: ['model'],
    registers,
  })
  const realTimeFactor = new Histogram({
    name: 'dictation_real_time_factor',
    help: 'Duration of a transcription relative to the length of its audio; below 1 is faster than real time.',
    labelNames: ['model'],
    buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 4, 8],
    registers,
  })
  const deliveries = new Counter({
    name: 'dictation_webhook_deliveries_total',
    help: 'Webhook delivery attempts, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  return {
    registry,
    answered({ method: givenMethod, route: template, status, seconds }) {
      const method = METHODS.has(givenMethod) ? givenMethod : 'other'
      const route = template ?? '(none)'
      requests.inc({ method, route, status: String(status) })
      latencies.observe({ method, route }, seconds)
    },
    transcribed({ model, audioMs, processingMs }) {
      audio.inc({ model }, audioMs / 1000)
      processing.inc({ model }, processingMs / 1000)
      if (audioMs > 0) realTimeFactor.observe({ model }, processingMs / audioMs)
    },
    delivered: (outcome) => deliveries.inc({ outcome }),
  }
}

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
