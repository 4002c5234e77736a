// The database after a power cut: what it synced, like any other file; or, as a sick disk leaves it, gone or damaged.
// Works on the files of the embedded database as the cut leaves them.

import type { Snapshot } from './model-disk.ts'

export const DATABASE_STATES = ['durable', 'gone', 'flipped'] as const
export type DatabaseState = (typeof DATABASE_STATES)[number]

/** Files of the server's own tables and indexes are numbered from here on; the others are Postgres's own. */
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
  // A Buffer shares its memory with what `slice` returns.
  const damaged = new Uint8Array(bytes)
  const from = Math.floor(chance() * (bytes.length - FLIPS))
  for (let at = from; at < from + FLIPS; at++) damaged[at] = damaged[at]! ^ 0xff
  return new Map([...left, [path, damaged]])
}
