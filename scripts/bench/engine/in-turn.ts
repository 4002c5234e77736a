// Has peers hear in turn, round after round, so that a machine that gets slower or busier does so for all alike.
// What the times mean is comparisons.ts.

import { median } from '../table.ts'
import type { Peer, PeerResult } from './peer.ts'

export type Rounds = {
  rounds: number
  /** by performance.now(): a peer whose last time would end after it is passed over, once it was heard */
  untilMs?: number
}

/** The first hearing of each peer warms it up and counts only where there is no other. */
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

/** Medians of all that was told; the text is the last one. */
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
