// GET /metrics, in Prometheus' text format, with the metrics that are read at each scrape. Counters of requests and
// transcriptions are in server/metrics-registry.ts.

import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import type { Captures } from '../../captures/captures.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { defineRoute, ok, type Route } from '../kernel/route.ts'
import type { Metrics } from '../server/metrics-registry.ts'
import { inTime } from './health.ts'

const DESCRIPTION = `Requests and their latencies by route template and status, the queue, the speed of transcription
relative to the length of the audio, engine restarts, stored captures, webhook deliveries, memory and CPU time.
While the database does not answer, metrics that need it are omitted. Several servers on one database report the same
\`dictation_queue_…\` and \`dictation_captures\`: take the maximum of these, and the sum of all others.`

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
      responses: ok("Prometheus' text format 0.0.4", { 'text/plain': { example: EXAMPLE } }),
    },
    async () => {
      const { registry } = deps.metrics
      const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' }
      return new Response(await registry.metrics(), { headers })
    },
  )

export type ServerMetricsDeps = {
  metrics: Metrics
  version: string
  jobs: Pick<Jobs, 'counts' | 'waitingAudioSeconds'>
  captures: Pick<Captures, 'list'>
  engine: Pick<Engine, 'health'>
  liveSessions: { count(): number }
}

/** Call this once for a registry. */
export function addServerMetrics(deps: ServerMetricsDeps): void {
  const registers = [deps.metrics.registry]
  addQueue(deps, registers)
  new Gauge({
    name: 'dictation_captures',
    help: 'Stored captures that are not in the trash.',
    registers,
    async collect() {
      this.remove()
      const page = await inTime(deps.captures.list({ limit: 1, offset: 0 }))
      if (page !== null) this.set(page.total)
    },
  })
  new Counter({
    name: 'dictation_engine_restarts_total',
    help: 'How often a recogniser was restarted after a trap or a hang.',
    registers,
    collect() {
      this.reset()
      this.inc(deps.engine.health().restarts)
    },
  })
  new Gauge({
    name: 'dictation_live_sessions',
    help: 'Active live transcription sessions.',
    registers,
    collect() {
      this.set(deps.liveSessions.count())
    },
  })
  const info = new Gauge({
    name: 'dictation_info',
    help: 'The version of the server.',
    labelNames: ['version'],
    registers,
  })
  info.set({ version: deps.version }, 1)
  addProcess(registers)
}

type Registers = ConstructorParameters<typeof Gauge>[0]['registers'] & object

function addQueue({ jobs }: ServerMetricsDeps, registers: Registers): void {
  new Gauge({
    name: 'dictation_queue_oldest_waiting_seconds',
    help: 'How long the oldest waiting job has waited; 0 if no job is waiting.',
    registers,
    async collect() {
      this.remove()
      const counts = await inTime(jobs.counts())
      const now = Date.now()
      const since = counts?.oldestWaiting?.getTime() ?? now
      if (counts !== null) this.set(Math.max(0, (now - since) / 1000))
    },
  })
  new Gauge({
    name: 'dictation_queue_audio_seconds',
    help: 'Audio that waits to be transcribed, in seconds; a recording that was never decoded counts 1 s for 8,000 bytes. Servers on one database report the same number: do not add them up.',
    registers,
    async collect() {
      this.remove()
      const seconds = await inTime(jobs.waitingAudioSeconds())
      if (seconds !== null) this.set(seconds)
    },
  })
  new Gauge({
    name: 'dictation_queue_jobs',
    help: 'Waiting and active jobs.',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      const counts = await inTime(jobs.counts())
      if (counts === null) return
      this.set({ state: 'waiting' }, counts.waiting)
      this.set({ state: 'active' }, counts.active)
    },
  })
}

/** The names are those of Prometheus' client libraries. */
function addProcess(registers: Registers): void {
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the server, without its decoder and recogniser processes.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the server, without its decoder and recogniser processes.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  const startedAt = new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the server, in seconds since 1970.',
    registers,
  })
  startedAt.set(Math.round(Date.now() / 1000 - process.uptime()))
}
