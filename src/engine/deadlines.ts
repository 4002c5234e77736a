// How long an engine may take before it is taken for stuck. Far above what it takes: a wrong kill costs a
// transcript, a late one only patience. Measures nothing and stops nothing.

import { MAX_WINDOW_SECONDS, type ModelFile } from './engine.ts'

const MEGABYTE = 1_000_000

/**
 * whisper.cpp in WebAssembly needs 0.3 s per megabyte of a q5 model for a window on one quiet core. Two of its
 * threads on two cores that ten others want were seen to take seven times that, and a clip that makes it try
 * all six temperatures decodes six times over.
 */
export const windowDeadlineMs = (model: ModelFile, seconds: number) => {
  const fullWindowMs = 120_000 + (model.bytes / MEGABYTE) * 6000
  return Math.round(fullWindowMs * (0.5 + (0.5 * seconds) / MAX_WINDOW_SECONDS))
}

/**
 * Nothing is said within a step of a layer. One of large-v3 takes a quarter of a second on a quiet core; where twenty
 * others wanted two cores, it was seen to take a minute.
 */
export const longestSilenceMs = (model: ModelFile, heartbeatTimeoutMs: number) =>
  Math.round(heartbeatTimeoutMs + (model.bytes / MEGABYTE) * 100)

/** Four missed heartbeats, of a model of any size: they show in the health long before the process is killed for it. */
export const suspiciousSilenceMs = (model: ModelFile) => Math.round(4000 + (model.bytes / MEGABYTE) * 10)

/**
 * A slow disk reads 20 MB a second, and packing takes 10 ms per megabyte on a quiet core, ten times that where twenty
 * others want it.
 */
export const loadDeadlineMs = (model: ModelFile) => Math.round(60_000 + (model.bytes / MEGABYTE) * 300)
