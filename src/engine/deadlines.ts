// Time limits after which an engine counts as stuck. They are far above normal times: a wrong kill costs a transcript,
// a late one only a wait.

import { MAX_WINDOW_SECONDS, type ModelFile } from './engine.ts'

const MEGABYTE = 1_000_000

/**
 * whisper.cpp in WebAssembly needs 0.3 s per megabyte of a q5 model for a window on one quiet core. Two of its
 * threads took seven times that on two cores shared with ten busy threads, and a clip that makes it try all six
 * temperatures is decoded six times.
 */
export const windowDeadlineMs = (model: ModelFile, seconds: number) => {
  const fullWindowMs = 120_000 + (model.bytes / MEGABYTE) * 6000
  return Math.round(fullWindowMs * (0.5 + (0.5 * seconds) / MAX_WINDOW_SECONDS))
}

/**
 * The process sends no heartbeat within one step of a layer. A step of large-v3 takes 0.25 s on a quiet core, and took a
 * minute on two cores shared with twenty busy threads.
 */
export const longestSilenceMs = (model: ModelFile, heartbeatTimeoutMs: number) =>
  Math.round(heartbeatTimeoutMs + (model.bytes / MEGABYTE) * 100)

/** Four missed heartbeats plus a share per megabyte: health reports `stuck` long before the process is killed. */
export const suspiciousSilenceMs = (model: ModelFile) => Math.round(4000 + (model.bytes / MEGABYTE) * 10)

/**
 * A slow disk reads 20 MB a second. Packing takes 10 ms per megabyte on a quiet core, ten times that on one shared with
 * twenty busy threads.
 */
export const loadDeadlineMs = (model: ModelFile) => Math.round(60_000 + (model.bytes / MEGABYTE) * 300)
