// The time from process start to ready, on the very first start and later. Loading the engine is reported separately,
// because it happens after the server is ready.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../test/support/server.ts'
import { until } from '../../test/support/until.ts'
import { type Measure, median, seconds } from './table.ts'

async function timedStart(dataFolder: string) {
  const startedAt = performance.now()
  const server = await startServer({ dataFolder })
  const readyMs = performance.now() - startedAt
  const loaded = () => server.log().some((entry) => entry.msg === 'model loaded')
  await until(loaded, { timeoutMs: 60_000, what: 'the model to be loaded' })
  const loadedMs = performance.now() - startedAt
  await server.stop()
  return { readyMs, loadedMs }
}

export const measureStart: Measure = async ({ rounds }) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dictation-bench-'))
  const first = await timedStart(dataFolder)
  const later = []
  for (let round = 0; round < rounds; round++) later.push(await timedStart(dataFolder))
  await rm(dataFolder, { recursive: true, force: true })
  return [
    { what: 'very first start to ready', value: seconds(first.readyMs), note: 'creates the database' },
    { what: 'later start to ready', value: seconds(median(later.map((one) => one.readyMs))), goal: '≤ 1 s' },
    {
      what: 'later start to model loaded',
      value: seconds(median(later.map((one) => one.loadedMs))),
      note: 'tiny.en q5_1; the engine is ready',
    },
  ]
}
