// Removes what has exceeded its retention limit in the settings: captures, audio alone, and the trash. Removed captures
// still count in the statistics. The rule that clients see is here, too; retention-keeper.ts decides when it runs.

import type { Database } from '../../db/database.ts'
import { removeQuarantined } from '../../db/quarantine.ts'
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
import type { StoredAnnouncement } from '../../db/schema.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { DAY_MS } from '../lib/time-zone.ts'
import type { Warning } from '../lib/warning.ts'
import type { Settings } from '../settings/settings.ts'
import type { Capture } from './capture.ts'
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
  await removeQuarantined(deps.dataFolder, trashed).catch((error: unknown) =>
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

/** An announced removal runs after this time. */
const NOTICE_MS = DAY_MS
/** How far a trusted clock may have advanced while no server ran, and how far it may have been set back. */
const FORWARD_MS = 31 * DAY_MS
const BACK_MS = DAY_MS
/** This much is removed without notice. */
const PART = 1 / 10

export const limitsOf = (settings: RetentionSettings): RetentionSettings => {
  const { trashDays, retentionDays, audioRetentionDays, maxCaptures } = settings
  return { trashDays, retentionDays, audioRetentionDays, maxCaptures }
}

export const isSame = (one: RetentionSettings, other: RetentionSettings): boolean =>
  LIMITS.every((limit) => one[limit] === other[limit])

export const isMuch = ({ captures, ofCaptures, audio, ofAudio }: Due): boolean =>
  captures > ofCaptures * PART || audio > ofAudio * PART

type Case = {
  due: Due
  now: number
  seenAt: number
  announced: StoredAnnouncement | null
  confirmed: boolean
  limits: RetentionSettings
}

/** `many` and `clock` are reasons to announce the removal; `wait`: it is announced and not due yet. */
export function judge({
  due,
  now,
  seenAt,
  announced,
  confirmed,
  limits,
}: Case): 'go' | 'wait' | 'many' | 'clock' {
  const isBelieved = now - seenAt <= FORWARD_MS && seenAt - now <= BACK_MS
  if (due.captures + due.audio === 0) return isBelieved ? 'go' : 'wait'
  const standing = announced !== null && isSame(announced.limits, limits) ? announced : null
  if (confirmed && standing !== null) return 'go'
  if (!isBelieved) return 'clock'
  if (standing === null) return isMuch(due) ? 'many' : 'go'
  if (now - standing.at < NOTICE_MS) return 'wait'
  // Time passes and more becomes due, but not much.
  const added = {
    ...due,
    captures: due.captures - standing.captures,
    audio: due.audio - standing.audio,
  }
  return isMuch(added) ? 'many' : 'go'
}

const REASONS = {
  many: 'According to the limits in the settings,',
  clock: 'The clock of this computer has jumped. According to its current time,',
}

export function warningOf({ at, why, captures, audio }: StoredAnnouncement): Warning {
  const what = [
    ...(captures > 0 ? [`${captures} ${captures === 1 ? 'capture' : 'captures'}`] : []),
    ...(audio > 0 ? [`the audio of ${audio} ${audio === 1 ? 'capture' : 'captures'}`] : []),
  ].join(' and ')
  const when = new Date(at + NOTICE_MS).toISOString()
  const [are, them] = captures + audio === 1 ? ['is', 'it'] : ['are', 'them']
  return {
    code: 'removal_announced',
    message: `${REASONS[why]} ${what} ${are} due for deletion. The server will delete ${them} after ${when} unless you change the limits first. To delete ${them} now, change the settings with confirm_removal: true.`,
  }
}

/** The warning for a recording that is older than a retention limit when it arrives. */
export function agedWarning(
  { recordedAt, createdAt, trashedAt }: Pick<Capture, 'recordedAt' | 'createdAt' | 'trashedAt'>,
  { retentionDays, audioRetentionDays }: Pick<RetentionSettings, 'retentionDays' | 'audioRetentionDays'>,
): Warning | null {
  const ageMs = createdAt.getTime() - recordedAt.getTime()
  const isOver = (days: number | null) => days !== null && ageMs > days * DAY_MS
  if (trashedAt !== null || !(isOver(retentionDays) || isOver(audioRetentionDays))) return null
  const [what, days] = isOver(retentionDays)
    ? ['The capture', retentionDays]
    : ['Its audio', audioRetentionDays]
  return {
    code: 'removed_soon',
    message: `This recording is older than ${days} days, the limit in the settings. ${what} will be removed in a day unless you star it or change that setting.`,
  }
}
