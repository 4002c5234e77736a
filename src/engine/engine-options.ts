// What an engine is made with, whatever it is made of.
// Which engine it is stands in create-engine.ts.

import { type Log, silentLog } from '../lib/log.ts'

export type EngineOptions = {
  threads: number
  /** asked each time there is nothing left to do; five minutes by default */
  idleUnloadMs?: () => number
  /** @default 30_000: a machine under load sends heartbeats late */
  heartbeatTimeoutMs?: number
  /** @default 256 MB */
  recycleGrowthBytes?: number
  /** learns the process id of each process that is started, at level debug */
  log?: Log
}

export const withDefaults = ({
  threads,
  idleUnloadMs = () => 300_000,
  heartbeatTimeoutMs = 30_000,
  recycleGrowthBytes = 256_000_000,
  log = silentLog,
}: EngineOptions): Required<EngineOptions> => ({
  threads,
  idleUnloadMs,
  heartbeatTimeoutMs,
  recycleGrowthBytes,
  log,
})
