// Decides when retention may do its work: not by a clock that has jumped, and not much at once without having said so.
// What is removed, and how, is retention.ts.

import { newestChange } from '../../db/retention.ts'
import { type ClockWatch, createClockWatch } from '../lib/clock-watch.ts'
import type { Warning } from '../lib/warning.ts'
import { applyRetention, countDue, type Due, type RetentionDeps } from './retention.ts'
import { type RetentionAnnouncement, readNote, writeNote } from './retention-note.ts'
import { isMuch, isSame, judge, limitsOf, warningOf } from './retention-rule.ts'

export type RetentionKeeper = {
  /** does what is due, where that may be done; else it announces it */
  round(signal: AbortSignal): Promise<void>
  /** to be called when the limits were changed: announces what they would remove, where that is much */
  announce(): Promise<void>
  /** what is announced may be done at once */
  confirm(): void
  onConfirm(listen: () => void): () => void
  /** what a person has to be told */
  warnings(): Warning[]
}

type Deps = RetentionDeps & { watch?: ClockWatch }

/** An hour, but for what a timer may be early. */
const SETTLING_MS = 59 * 60_000
export async function openRetention(deps: Deps): Promise<RetentionKeeper> {
  const { database, dataFolder, clock, settings, log, watch = createClockWatch(clock) } = deps
  const listeners = new Set<() => void>()
  const note = await readNote(dataFolder)
  let seenAt = note?.seenAt ?? null
  let announced = note?.announced ?? null
  let confirmed = false
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  const remember = async (now: number, announcement: RetentionAnnouncement | null): Promise<void> => {
    if (announcement !== null && announcement !== announced)
      log.warn({ ...announcement }, 'more has been kept long enough than is removed without notice')
    seenAt = now
    announced = announcement
    confirmed = false
    await writeNote(dataFolder, { seenAt, announced })
  }

  /** Where nothing was remembered yet, the newest time that the captures know. */
  const lastSeen = async (now: Date): Promise<number> =>
    seenAt ?? (await database.run(newestChange))?.getTime() ?? now.getTime()

  const announcementOf = (
    due: Due,
    now: number,
    why: RetentionAnnouncement['why'],
  ): RetentionAnnouncement => ({
    at: now,
    why,
    captures: due.captures,
    audio: due.audio,
    limits: limitsOf(settings.current()),
  })

  const announceAnew = async (): Promise<void> => {
    if (announced !== null && isSame(announced.limits, limitsOf(settings.current()))) return
    const now = clock()
    const due = await countDue(deps, now)
    const announcement = isMuch(due) ? announcementOf(due, now.getTime(), 'many') : null
    if (announcement === null && announced === null) return
    await remember(await lastSeen(now), announcement)
  }

  return {
    round: (signal) =>
      inTurn(async () => {
        const isSettled = watch.steadyMs() >= SETTLING_MS
        if (!isSettled && !confirmed) return
        const now = clock()
        const due = await countDue(deps, now)
        const limits = limitsOf(settings.current())
        const seen = await lastSeen(now)
        const verdict = judge({ due, now: now.getTime(), seenAt: seen, announced, confirmed, limits })
        if (verdict === 'many' || verdict === 'clock')
          return remember(now.getTime(), announcementOf(due, now.getTime(), verdict))
        if (verdict === 'wait')
          return remember(now.getTime(), due.captures + due.audio === 0 ? null : announced)
        await applyRetention({ ...deps, clock: () => now }, signal)
        await remember(now.getTime(), signal.aborted ? announced : null)
      }),
    announce: () =>
      inTurn(announceAnew).catch((error: unknown) =>
        // The change of the settings holds, and the next round looks before it removes anything.
        log.warn({ reason: String(error) }, 'what the limits would remove was not counted'),
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
