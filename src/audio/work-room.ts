// Room on the disk for decoded samples: reserved before they are written, so that recordings that unpack to hours wait for
// each other and never fill the disk together. Does not write, count or remove them; decode.ts does.

import { diskSpace } from '../lib/disk-space.ts'
import { createNews } from '../lib/news.ts'
import { once } from '../lib/once.ts'
import { fail, type Result, succeed } from '../lib/result.ts'

export type Reservation = {
  bytes(): number
  /** it turned out to need less */
  shrink(bytes: number): void
  /** safe to call twice */
  release(): void
}

type RoomFailure = { code: 'aborted' | 'disk_full'; message: string }

export type WorkRoom = {
  /** Waits in line for that much room; fails if the disk lacks it even when nothing else is reserved. */
  take(bytes: number, signal: AbortSignal): Promise<Result<Reservation, RoomFailure>>
}

/** Four and a half hours of samples. A longer recording is decoded while no other one of more than a few minutes is. */
const MOST_BYTES = 1024 ** 3
/** Four minutes: a dictation never waits behind long recordings, and has room of its own. */
const SMALL_BYTES = 16 * 1024 ** 2
const SMALL_SHARE = 1 / 4

type Lane = { most: number; taken: number; line: symbol[] }

export function createWorkRoom({
  folder,
  mostBytes = MOST_BYTES,
}: {
  folder: string
  mostBytes?: number | undefined
}): WorkRoom {
  const small: Lane = { most: mostBytes * SMALL_SHARE, taken: 0, line: [] }
  const large: Lane = { most: mostBytes, taken: 0, line: [] }
  const { tell, next } = createNews()

  const fits = (lane: Lane, bytes: number) => lane.taken === 0 || lane.taken + bytes <= lane.most

  const reserveIn = (lane: Lane, bytes: number): Reservation => {
    let held = bytes
    lane.taken += held
    const shrink = (to: number) => {
      lane.taken -= held - Math.min(held, to)
      held = Math.min(held, to)
      tell()
    }
    return { bytes: () => held, shrink, release: once(() => shrink(0)) }
  }

  /** Counts what others reserved as if none of it were written yet. */
  const lacksBytes = async (bytes: number): Promise<number> => {
    const { freeBytes } = await diskSpace(folder)
    return bytes + large.taken - freeBytes
  }

  const waitInLine = async (lane: Lane, { bytes, mine, signal }: Waiting): Promise<RoomFailure | null> => {
    const isAborted = Promise.withResolvers<void>()
    const onAbort = () => isAborted.resolve()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      while (!signal.aborted) {
        const news = next()
        if (lane.line[0] === mine && fits(lane, bytes)) {
          const lacking = lane === large ? await lacksBytes(bytes) : 0
          if (lacking <= 0) return null
          if (lane.taken === 0) return diskTooFull(bytes, lacking)
        }
        await Promise.race([news, isAborted.promise])
      }
      return ABORTED
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  return {
    async take(bytes, signal) {
      const lane = bytes <= SMALL_BYTES ? small : large
      const mine = Symbol('waits for room')
      lane.line.push(mine)
      try {
        const failure = await waitInLine(lane, { bytes, mine, signal })
        return failure ? fail(failure) : succeed(reserveIn(lane, bytes))
      } finally {
        lane.line.splice(lane.line.indexOf(mine), 1)
        tell()
      }
    },
  }
}

type Waiting = { bytes: number; mine: symbol; signal: AbortSignal }

const ABORTED: RoomFailure = { code: 'aborted', message: 'Decoding was cancelled.' }

const diskTooFull = (bytes: number, lacking: number): RoomFailure => {
  const [needs, more] = [bytes, lacking].map((count) => `${Math.ceil(count / 1_000_000)} MB`)
  return {
    code: 'disk_full',
    message: `The disk is too full to decode the recording: that needs ${needs}. Free ${more} more and try again.`,
  }
}
