// A budget of disk space for decoded samples. Space is reserved before it is written, so that recordings that unpack to
// hours wait for each other and never fill the disk together.

import { diskSpace } from '../lib/disk-space.ts'
import { createNotifier } from '../lib/notifier.ts'
import { once } from '../lib/once.ts'
import { fail, type Result, succeed } from '../lib/result.ts'

export type Reservation = {
  bytes(): number
  /** reduces the reservation to this size */
  shrink(bytes: number): void
  /** safe to call twice */
  release(): void
}

/** `isGuess`: the recording may need less */
export type Wanted = { bytes: number; isGuess: boolean }

type BudgetFailure = { code: 'aborted' | 'disk_full'; message: string }

export type DiskBudget = {
  /**
   * Waits in line for the space. Fails if the disk lacks it even when nothing else is reserved; a guess gets less
   * instead.
   */
  take(wanted: Wanted, signal: AbortSignal): Promise<Result<Reservation, BudgetFailure>>
}

/**
 * Four and a half hours of samples. A longer recording is decoded only while no other one of more than a few minutes
 * is.
 */
const MAX_BYTES = 1024 ** 3
/** Four minutes: short recordings have a budget of their own, so that a dictation never waits behind long ones. */
const SMALL_BYTES = 16 * 1024 ** 2
const SMALL_SHARE = 1 / 4
/** A guess leaves this much free, for recordings that arrive meanwhile. */
const LEFT_BY_GUESSES_BYTES = 32 * 1024 ** 2

type Lane = { most: number; taken: number; line: symbol[] }

export function createDiskBudget({
  folder,
  maxBytes = MAX_BYTES,
}: {
  folder: string
  maxBytes?: number | undefined
}): DiskBudget {
  const small: Lane = { most: maxBytes * SMALL_SHARE, taken: 0, line: [] }
  const large: Lane = { most: maxBytes, taken: 0, line: [] }
  const { notify, next } = createNotifier()

  const fits = (lane: Lane, bytes: number) => lane.taken === 0 || lane.taken + bytes <= lane.most

  const reserveIn = (lane: Lane, bytes: number): Reservation => {
    let held = bytes
    lane.taken += held
    const shrink = (to: number) => {
      lane.taken -= held - Math.min(held, to)
      held = Math.min(held, to)
      notify()
    }
    return { bytes: () => held, shrink, release: once(() => shrink(0)) }
  }

  /** Counts existing reservations as if none of them were written yet. */
  const lacksBytes = async (bytes: number): Promise<number> => {
    const { freeBytes } = await diskSpace(folder)
    return bytes + large.taken - freeBytes
  }

  /** Returns the number of bytes to reserve. */
  const waitInLine = async (
    lane: Lane,
    { bytes, isGuess, mine, signal }: Waiting,
  ): Promise<Result<number, BudgetFailure>> => {
    const isAborted = Promise.withResolvers<void>()
    const onAbort = () => isAborted.resolve()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      while (!signal.aborted) {
        const change = next()
        if (lane.line[0] === mine && fits(lane, bytes)) {
          const lacking = lane === large ? await lacksBytes(bytes) : 0
          if (lacking <= 0) return succeed(bytes)
          if (lane.taken === 0 && isGuess)
            return succeed(Math.max(bytes - lacking - LEFT_BY_GUESSES_BYTES, SMALL_BYTES))
          if (lane.taken === 0) return diskTooFull(bytes, lacking)
        }
        await Promise.race([change, isAborted.promise])
      }
      return fail(ABORTED)
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  return {
    async take(wanted, signal) {
      const lane = wanted.bytes <= SMALL_BYTES ? small : large
      const mine = Symbol('waits for disk space')
      lane.line.push(mine)
      try {
        const granted = await waitInLine(lane, { ...wanted, mine, signal })
        return granted.ok ? succeed(reserveIn(lane, granted.value)) : granted
      } finally {
        lane.line.splice(lane.line.indexOf(mine), 1)
        notify()
      }
    },
  }
}

type Waiting = Wanted & { mine: symbol; signal: AbortSignal }

const ABORTED: BudgetFailure = { code: 'aborted', message: 'Decoding was cancelled.' }

const diskTooFull = (bytes: number, lacking: number): Result<never, BudgetFailure> => {
  const [needs, more] = [bytes, lacking].map((count) => `${Math.ceil(count / 1_000_000)} MB`)
  return fail({
    code: 'disk_full',
    message: `The disk is too full: decoding this recording needs ${needs}. Free another ${more} and try again.`,
  })
}
