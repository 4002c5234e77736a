// What an operation of the soak test is, and what several of them need. The operations themselves are recording.ts,
// looking.ts and shaping.ts.

import type { Client } from './client.ts'
import type { Sounds } from './sounds.ts'

export type World = {
  client: Client
  sounds: Sounds
  /** of captures made lately that are over; one may have been deleted since */
  lately: string[]
}

/** `often`: how many of them among all that are done, compared with others. */
export type Operation = { often: number; run: (world: World) => Promise<unknown> }

/** What is answered where the capture meant was deleted a moment ago. */
export const OR_GONE = [200, 404] as const

/** Takes turns among choices, so that each run does the same. */
export function turnsAmong<T>(choices: readonly T[]): () => T {
  let next = 0
  return () => choices[next++ % choices.length]!
}
