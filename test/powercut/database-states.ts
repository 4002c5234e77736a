// What a power cut may leave of the database: what it synced, like any other file; or, on a disk that breaks its promise,
// nothing, an older state, pages of two times, flipped bytes. Works on the files of the embedded database at two moments.

import type { Snapshot } from './model-disk.ts'

export const DATABASE_STATES = ['durable', 'gone', 'old', 'torn', 'flipped'] as const
export type DatabaseState = (typeof DATABASE_STATES)[number]

/** `left` is what the cut leaves of its files by what was synced. */
type Times = { then: Snapshot; now: Snapshot; left: Snapshot }

const SECTOR_BYTES = 4096
/** Files of the server's own tables and indexes are numbered from here on; the others are Postgres's own. */
const FIRST_OWN_FILE = 16_384
const FLIPS = 12

export function databaseAs(state: DatabaseState, times: Times, chance: () => number): Snapshot {
  const { then, now, left } = times
  switch (state) {
    case 'durable':
      return left
    case 'gone':
      return new Map()
    case 'old':
      return then
    case 'torn':
      return torn(times, chance)
    case 'flipped':
      return flipped(now, chance)
  }
}

/** Of what was written since, one half of the sectors, by chance. */
const torn = ({ then, now }: Times, chance: () => number): Snapshot =>
  new Map(
    [...now].map(([path, content]) => {
      const { bytes } = content
      const before = then.get(path)?.bytes
      if (before === bytes || path.endsWith('/')) return [path, content]
      const mixed = bytes.slice()
      for (let at = 0; at < bytes.length; at += SECTOR_BYTES) {
        if (chance() < 0.5) continue
        mixed.fill(0, at, at + SECTOR_BYTES)
        mixed.set((before ?? new Uint8Array()).subarray(at, Math.min(at + SECTOR_BYTES, bytes.length)), at)
      }
      return [path, { ...content, bytes: mixed }]
    }),
  )

function flipped(now: Snapshot, chance: () => number): Snapshot {
  const own = [...now].filter(
    ([path, { bytes }]) =>
      Number(/\/base\/\d+\/(\d+)$/.exec(path)?.[1]) >= FIRST_OWN_FILE && bytes.length > 0,
  )
  const [path, content] = own[Math.floor(chance() * own.length)]!
  const { bytes } = content
  const damaged = bytes.slice()
  const from = Math.floor(chance() * (bytes.length - FLIPS))
  for (let at = from; at < from + FLIPS; at++) damaged[at] = damaged[at]! ^ 0xff
  return new Map([...now, [path, { ...content, bytes: damaged }]])
}
