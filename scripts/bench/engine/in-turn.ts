// Runs peers in turn, round after round, so that a machine that slows down affects all of them equally.

import { median } from '../table.ts'
import type { Peer, PeerResult } from './peer.ts'

export type Rounds = {
  rounds: number
  /** by performance.now(): a peer that would probably end after it is skipped, unless it has not run yet */
  untilMs?: number
}

/** Each peer's first run is a warm-up; it counts only if there is no other. */
export const hearInTurn = async <K extends string>(
  peers: Partial<Record<K, Peer>>,
  { rounds, untilMs = Number.POSITIVE_INFINITY }: Rounds,
): Promise<Partial<Record<K, PeerResult[]>>> => {
  const heard: Partial<Record<K, PeerResult[]>> = {}
  for (let round = 0; round <= rounds; round += 1) {
    for (const [key, peer] of Object.entries(peers) as [K, Peer][]) {
      const before = heard[key]?.at(-1)
      if (before && performance.now() + before.ms > untilMs) continue
      heard[key] = [...(heard[key] ?? []), await peer.hear()]
    }
  }
  for (const key of Object.keys(heard) as K[]) {
    if (heard[key]!.length > 1) heard[key] = heard[key]!.slice(1)
  }
  return heard
}

/** Medians of all results; the text is the last one. */
export const middle = (heard: PeerResult[]): PeerResult => {
  const medianOf = (values: (number | undefined)[]) => {
    const known = values.filter((value) => value !== undefined)
    return known.length > 0 ? median(known) : undefined
  }
  const encodeMs = medianOf(heard.map((one) => one.encodeMs))
  const tokenMs = medianOf(heard.map((one) => one.tokenMs))
  return {
    ms: median(heard.map(({ ms }) => ms)),
    text: heard.at(-1)!.text,
    ...(encodeMs === undefined ? {} : { encodeMs }),
    ...(tokenMs === undefined ? {} : { tokenMs }),
  }
}
