import type { Client } from './client.ts'
import type { Recordings } from './recordings.ts'

export type World = {
  client: Client
  recordings: Recordings
  /** ids of recently created captures; some may be deleted */
  recent: string[]
}

/** `weight`: relative frequency. */
export type Operation = { weight: number; run: (world: World) => Promise<unknown> }

/** The capture may have just been deleted. */
export const OR_GONE = [200, 404] as const

/** Cycles through choices, so that each run does the same. */
export function turnsAmong<T>(choices: readonly T[]): () => T {
  let next = 0
  return () => choices[next++ % choices.length]!
}
