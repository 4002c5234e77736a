// GET /metrics, in Prometheus' text format. The metrics are defined in server/metrics-registry.ts and server-metrics.ts.

import { defineRoute, type Route } from '../contract/route.ts'
import type { Metrics } from '../server/metrics-registry.ts'

const DESCRIPTION = `Requests and their latencies by route template and status, the queue, the speed of transcription
relative to the length of the audio, engine restarts, stored captures, webhook deliveries, memory and CPU time.
While the database does not answer, metrics that need it are omitted.`

const EXAMPLE = `# HELP dictation_queue_jobs Waiting and active jobs.
# TYPE dictation_queue_jobs gauge
dictation_queue_jobs{state="waiting"} 0
dictation_queue_jobs{state="active"} 1
`

export const metricsRoute = (deps: { metrics: Metrics }): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/metrics',
      operationId: 'getMetrics',
      summary: 'Metrics for Prometheus',
      description: DESCRIPTION,
      tag: 'service',
      responses: {
        200: {
          description: "Prometheus' text format 0.0.4",
          content: { 'text/plain': { example: EXAMPLE } },
        },
      },
    },
    async () => {
      const { registry } = deps.metrics
      const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' }
      return new Response(await registry.metrics(), { headers })
    },
  )
