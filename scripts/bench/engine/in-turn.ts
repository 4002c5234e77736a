// Runs peers in turn, round after round, so that a machine that slows down affects all of them equally.

import { median } from '../table.ts'
import type { Peer, PeerResult } from './peer.ts'

export type Rounds = {
  rounds: number
  /** by performance.now(): a peer that would probably end after it is skipped, unless it has not run yet */
  untilMs?: number
}

/** Each peer's first run is a warm-up; it counts only if there is no other. */
export const transcribeInTurn = async <K extends string>(
  peers: Partial<Record<K, Peer>>,
  { rounds, untilMs = Number.POSITIVE_INFINITY }: Rounds,
): Promise<Partial<Record<K, PeerResult[]>>> => {
  const results: Partial<Record<K, PeerResult[]>> = {}
  for (let round = 0; round <= rounds; round += 1) {
    for (const [key, peer] of Object.entries(peers) as [K, Peer][]) {
      const before = results[key]?.at(-1)
      if (before && performance.now() + before.ms > untilMs) continue
      results[key] = [...(results[key] ?? []), await peer.transcribe()]
    }
  }
  for (const key of Object.keys(results) as K[]) {
    if (results[key]!.length > 1) results[key] = results[key]!.slice(1)
  }
  return results
}

/** Medians of all results; the text is the last one. */
export const middle = (results: PeerResult[]): PeerResult => {
  const medianOf = (values: (number | undefined)[]) => {
    const known = values.filter((value) => value !== undefined)
    return known.length > 0 ? median(known) : undefined
  }
  const encodeMs = medianOf(results.map((one) => one.encodeMs))
  const tokenMs = medianOf(results.map((one) => one.tokenMs))
  return {
    ms: median(results.map(({ ms }) => ms)),
    text: results.at(-1)!.text,
    ...(encodeMs === undefined ? {} : { encodeMs }),
    ...(tokenMs === undefined ? {} : { tokenMs }),
  }
}
