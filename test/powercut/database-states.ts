// The embedded database after a power cut: its synced state, or, as after a disk failure, missing or damaged.

import type { Snapshot } from './model-disk.ts'

export const DATABASE_STATES = ['durable', 'gone', 'flipped'] as const
export type DatabaseState = (typeof DATABASE_STATES)[number]

/** The server's own tables and indexes have file numbers from here on; lower ones are Postgres's own. */
const FIRST_OWN_FILE = 16_384
const FLIPS = 12

export function databaseAs(state: DatabaseState, left: Snapshot, chance: () => number): Snapshot {
  if (state === 'gone') return new Map()
  return state === 'durable' ? left : flipped(left, chance)
}

function flipped(left: Snapshot, chance: () => number): Snapshot {
  const own = [...left].filter(
    ([path, bytes]) => Number(/\/base\/\d+\/(\d+)$/.exec(path)?.[1]) >= FIRST_OWN_FILE && bytes.length > 0,
  )
  const [path, bytes] = own[Math.floor(chance() * own.length)]!
  // Copy: a Buffer shares its memory with its slices.
  const damaged = new Uint8Array(bytes)
  const from = Math.floor(chance() * (bytes.length - FLIPS))
  for (let at = from; at < from + FLIPS; at++) damaged[at] = damaged[at]! ^ 0xff
  return new Map([...left, [path, damaged]])
}
