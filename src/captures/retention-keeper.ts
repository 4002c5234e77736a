// Decides when retention may run: never by a clock that has jumped, and never for many captures without notice. The
// removal is retention.ts.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Database } from '../../db/database.ts'
import {
  newestChange,
  type RetentionNote,
  readRetentionNote,
  writeRetentionNote,
} from '../../db/retention.ts'
import type { StoredAnnouncement } from '../../db/schema.ts'
import { type ClockWatch, createClockWatch } from '../lib/clock.ts'
import { removeDurably } from '../lib/durable.ts'
import { nullable, oneOf } from '../lib/schema.ts'
import type { Warning } from '../lib/warning.ts'
import {
  applyRetention,
  countDue,
  type Due,
  isMuch,
  isSame,
  judge,
  limitsOf,
  type RetentionDeps,
  warningOf,
} from './retention.ts'

export type RetentionKeeper = {
  /** removes what is due if that is allowed; otherwise announces it */
  round(signal: AbortSignal): Promise<void>
  /** call it after the limits changed: announces what they would remove, if that is much */
  announce(): Promise<void>
  /** the announced removal may run at once */
  confirm(): void
  onConfirm(listen: () => void): () => void
  /** the notice for the user */
  warnings(): Warning[]
}

type Deps = RetentionDeps & { watch?: ClockWatch }

/** A server whose clock differs more from the database's deletes nothing. */
const MAX_OFF_MS = 60_000
/** An hour, minus a margin for timers that fire early. */
const SETTLING_MS = 59 * 60_000
export async function openRetention(deps: Deps): Promise<RetentionKeeper> {
  const { database, dataFolder, clock, settings, log, watch = createClockWatch(clock) } = deps
  const listeners = new Set<() => void>()
  const note = (await database.run(readRetentionNote)) ?? (await takeOldNote(database, dataFolder))
  let seenAt = note?.seenAt ?? null
  let announced = note?.announced ?? null

  /** Another server may have announced or removed something since. */
  const readNote = async (): Promise<void> => {
    if (database.kind === 'embedded') return
    const stored = await database.run(readRetentionNote)
    seenAt = stored?.seenAt ?? null
    announced = stored?.announced ?? null
  }

  /** The database's time; null if this computer's clock is too far from it to delete anything by. */
  const now = async (): Promise<Date | null> => {
    if (database.kind === 'embedded') return clock()
    const theirs = await database.now()
    const offMs = clock().getTime() - theirs.getTime()
    if (Math.abs(offMs) <= MAX_OFF_MS) return theirs
    log.error(
      { offSeconds: Math.round(offMs / 1000) },
      'the clock of this computer is not that of the database: retention deletes nothing here until it is set',
    )
    return null
  }
  let confirmed = false
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  const remember = async (now: number, announcement: StoredAnnouncement | null): Promise<void> => {
    if (announcement !== null && announcement !== announced)
      log.warn({ ...announcement }, 'retention announced a removal')
    seenAt = now
    announced = announcement
    confirmed = false
    const note: RetentionNote = { seenAt, announced }
    await database.run((orm) => writeRetentionNote(orm, note))
  }

  /** Without a stored time, the newest time in the captures. */
  const lastSeen = async (now: Date): Promise<number> =>
    seenAt ?? (await database.run(newestChange))?.getTime() ?? now.getTime()

  const announcementOf = (due: Due, now: number, why: StoredAnnouncement['why']): StoredAnnouncement => ({
    at: now,
    why,
    captures: due.captures,
    audio: due.audio,
    limits: limitsOf(settings.current()),
  })

  const announceAnew = async (): Promise<void> => {
    await readNote()
    if (announced !== null && isSame(announced.limits, limitsOf(settings.current()))) return
    const at = await now()
    if (at === null) return
    const due = await countDue(deps, at)
    const announcement = isMuch(due) ? announcementOf(due, at.getTime(), 'many') : null
    if (announcement === null && announced === null) return
    await remember(await lastSeen(at), announcement)
  }

  const roundAlone = async (signal: AbortSignal): Promise<void> => {
    await readNote()
    const isSettled = watch.steadyMs() >= SETTLING_MS
    if (!isSettled && !confirmed) return
    const at = await now()
    if (at === null) return
    const due = await countDue(deps, at)
    const limits = limitsOf(settings.current())
    const seen = await lastSeen(at)
    const verdict = judge({ due, now: at.getTime(), seenAt: seen, announced, confirmed, limits })
    if (verdict === 'many' || verdict === 'clock')
      return remember(at.getTime(), announcementOf(due, at.getTime(), verdict))
    if (verdict === 'wait') return remember(at.getTime(), due.captures + due.audio === 0 ? null : announced)
    await applyRetention({ ...deps, clock: () => at }, signal)
    await remember(at.getTime(), signal.aborted ? announced : null)
  }

  return {
    round: (signal) =>
      inTurn(async () => {
        await database.exclusively('retention', () => roundAlone(signal))
      }),
    announce: () =>
      inTurn(announceAnew).catch((error: unknown) =>
        // The change of the settings stays valid; the next round checks again before it removes anything.
        log.warn({ reason: String(error) }, 'could not count what the new limits would remove'),
      ),
    confirm() {
      if (announced === null) return
      confirmed = true
      for (const listen of listeners) listen()
    },
    onConfirm(listen) {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    warnings: () => (announced === null || confirmed ? [] : [warningOf(announced)]),
  }
}

const OLD_FILE = 'retention.json'

/** Earlier versions wrote the note to a file. */
async function takeOldNote(database: Database, dataFolder: string): Promise<RetentionNote | null> {
  const path = join(dataFolder, OLD_FILE)
  if (!existsSync(path)) return null
  const note: unknown = await Bun.file(path)
    .json()
    .catch(() => null)
  const taken = Value.Check(OldNote, note) ? note : null
  if (taken !== null) await database.run((orm) => writeRetentionNote(orm, taken))
  await removeDurably(path)
  return taken
}

const count = Type.Integer({ minimum: 0 })
const OldNote = Type.Object({
  seenAt: Type.Integer(),
  announced: nullable(
    Type.Object({
      at: Type.Integer(),
      why: oneOf(['many', 'clock']),
      captures: count,
      audio: count,
      limits: Type.Object({
        trashDays: count,
        retentionDays: nullable(count),
        audioRetentionDays: nullable(count),
        maxCaptures: nullable(count),
      }),
    }),
  ),
})
