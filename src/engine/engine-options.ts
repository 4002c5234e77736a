import { type Log, silentLog } from '../lib/log.ts'
import type { GpuRequest } from './gpu/gpu-request.ts'

export type EngineOptions = {
  threads: number
  /** read each time the engine becomes idle. @default 300_000 */
  idleUnloadMs?: () => number
  /** @default 30_000, because a machine under load sends heartbeats late */
  heartbeatTimeoutMs?: number
  /** @default 256 MB */
  recycleGrowthBytes?: number
  /** read at each load of a model. @default the GPU is off */
  gpu?: (() => GpuRequest) | undefined
  /** receives the id of each process that starts, at level debug */
  log?: Log
}

export const withDefaults = ({
  threads,
  idleUnloadMs = () => 300_000,
  heartbeatTimeoutMs = 30_000,
  recycleGrowthBytes = 256_000_000,
  gpu,
  log = silentLog,
}: EngineOptions) => ({
  threads,
  idleUnloadMs,
  heartbeatTimeoutMs,
  recycleGrowthBytes,
  gpu,
  log,
})
