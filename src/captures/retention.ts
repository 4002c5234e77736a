// Removes what has exceeded its retention limit in the settings: captures, audio alone, and the trash. Removed captures
// still count in the statistics.

import type { Database } from '../../db/database.ts'
import {
  type Age,
  type AgedRow,
  audioBefore,
  countAudioBefore,
  countCaptures,
  countIdleBefore,
  countKept,
  countTrashedBefore,
  countWithAudio,
  idleBefore,
  type Page,
  trashedBefore,
} from '../../db/retention.ts'
import { removeSetAside } from '../../db/set-aside.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { DAY_MS } from '../lib/time-zone.ts'
import type { Settings } from '../settings/settings.ts'
import type { Current } from './change-capture.ts'

type IsMeant = (current: Current) => boolean

/** Both check again in the capture's turn: it may have been starred, restored or queued since it was found. */
export type Removal = {
  /** false if it is no longer due */
  remove(id: string, isMeant: IsMeant): Promise<boolean>
  removeAudio(id: string, isMeant: IsMeant): Promise<boolean>
}

export type RetentionReport = {
  /** captures that exceeded their time in the trash */
  fromTrash: number
  /** captures beyond the age or the number limit */
  captures: number
  audio: number
}

export type RetentionSettings = Pick<Settings, (typeof LIMITS)[number]>

export const LIMITS = ['trashDays', 'retentionDays', 'audioRetentionDays', 'maxCaptures'] as const

export type RetentionDeps = {
  database: Database
  dataFolder: string
  removal: Removal
  settings: { current(): RetentionSettings }
  clock: Clock
  log: Log
}

/** How many are looked up at a time; each is removed separately, so that uploads can run in between. */
const PAGE = 200

/**
 * Removes all that is due, or until `signal` fires. A capture that cannot be removed is logged and left for the next
 * run. Starred captures stay, unless the user put them into the trash. A quarantined database is stored as long as the
 * trash.
 */
export async function applyRetention(deps: RetentionDeps, signal: AbortSignal): Promise<RetentionReport> {
  const { removal, clock } = deps
  const { trashDays, retentionDays, audioRetentionDays, maxCaptures } = deps.settings.current()
  const { before, ofAge } = agesAt(clock())
  const report = { fromTrash: 0, captures: 0, audio: 0 }

  const trashed = before(trashDays)
  await removeSetAside(deps.dataFolder, trashed).catch((error: unknown) =>
    deps.log.warn(
      { reason: String(error) },
      'could not remove a quarantined database; retention tries again',
    ),
  )
  report.fromTrash = await each(deps, signal, {
    find: (page) => deps.database.run((orm) => trashedBefore(orm, trashed, page)),
    act: (id) =>
      removal.remove(id, ({ capture }) => capture.trashedAt !== null && capture.trashedAt < trashed),
  })
  if (retentionDays !== null) {
    const age = ofAge(retentionDays)
    report.captures += await each(deps, signal, {
      find: (page) => deps.database.run((orm) => idleBefore(orm, age, page)),
      act: (id) => removal.remove(id, isIdle),
    })
  }
  if (maxCaptures !== null) {
    const most = (await deps.database.run((orm) => countKept(orm, ofAge(null)))) - maxCaptures
    report.captures += await each(deps, signal, {
      find: (page) => deps.database.run((orm) => idleBefore(orm, ofAge(null), page)),
      act: (id) => removal.remove(id, isIdle),
      most,
    })
  }
  if (audioRetentionDays !== null) {
    const age = ofAge(audioRetentionDays)
    report.audio = await each(deps, signal, {
      find: (page) => deps.database.run((orm) => audioBefore(orm, age, page)),
      act: (id) => removal.removeAudio(id, isIdle),
    })
  }
  if (Object.values(report).some((number) => number > 0)) deps.log.info(report, 'retention removed data')
  return report
}

/** A recording that was old when it arrived stays at least this long. */
const GRACE_MS = DAY_MS

function agesAt(now: Date) {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const changedBefore = new Date(now.getTime() - GRACE_MS)
  const ofAge = (days: number | null): Age => ({
    recordedBefore: days === null ? null : before(days),
    changedBefore,
  })
  return { before, ofAge }
}

/** Numbers of captures and recordings due, and of how many. */
export type Due = { captures: number; ofCaptures: number; audio: number; ofAudio: number }

/** What applyRetention would remove now; without limits nothing is counted. */
export async function countDue(
  { database, settings }: Pick<RetentionDeps, 'database' | 'settings'>,
  now: Date,
): Promise<Due> {
  const { trashDays, retentionDays, audioRetentionDays, maxCaptures } = settings.current()
  const { before, ofAge } = agesAt(now)
  const fromTrash = await database.run((orm) => countTrashedBefore(orm, before(trashDays)))
  const old =
    retentionDays === null ? 0 : await database.run((orm) => countIdleBefore(orm, ofAge(retentionDays)))
  const tooMany =
    maxCaptures === null ? 0 : (await database.run((orm) => countKept(orm, ofAge(null)))) - maxCaptures
  const surplus =
    tooMany <= 0 ? 0 : Math.min(tooMany, await database.run((orm) => countIdleBefore(orm, ofAge(null))))
  const audio =
    audioRetentionDays === null
      ? 0
      : await database.run((orm) => countAudioBefore(orm, ofAge(audioRetentionDays)))
  // Captures beyond the age limit are among those beyond the number limit: both start with the oldest.
  const captures = fromTrash + Math.max(old, surplus)
  return {
    captures,
    ofCaptures: captures === 0 ? 0 : await database.run(countCaptures),
    audio,
    ofAudio: audio === 0 ? 0 : await database.run(countWithAudio),
  }
}

const isIdle: IsMeant = ({ capture: { starred, trashedAt, status }, job }) =>
  !starred && trashedAt === null && job === null && !UNFINISHED.includes(status)

const UNFINISHED = ['pending', 'transcribing', 'refining']

type Round = {
  find(page: Page): Promise<AgedRow[]>
  act(id: string): Promise<boolean>
  /** the most to remove */
  most?: number
}

/** Returns the number removed; the oldest go first. */
async function each(
  { log }: RetentionDeps,
  signal: AbortSignal,
  { find, act, most = Infinity }: Round,
): Promise<number> {
  let removed = 0
  let after: AgedRow | null = null
  while (removed < most && !signal.aborted) {
    const found: AgedRow[] = await find({ after, limit: PAGE })
    for (const { id } of found) {
      if (removed >= most || signal.aborted) break
      try {
        if (await act(id)) removed++
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        log.warn({ captureId: id, reason }, 'retention could not remove a capture; the next run tries again')
      }
    }
    if (found.length < PAGE) break
    after = found.at(-1)!
  }
  return removed
}
