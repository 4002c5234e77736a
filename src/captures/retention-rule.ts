// The rule of retention: how much may be removed at once, what is announced first, and which clock is trusted. Has no
// side effects.

import type { StoredAnnouncement } from '../../db/schema.ts'
import { DAY_MS } from '../lib/time-zone.ts'
import type { Warning } from '../lib/warning.ts'
import type { Capture } from './capture.ts'
import { type Due, LIMITS, type RetentionSettings } from './retention.ts'

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
  many: 'The settings say that',
  clock: 'The clock of this computer has jumped since this server last looked at it. By what it says now,',
}

export function warningOf({ at, why, captures, audio }: StoredAnnouncement): Warning {
  const what = [
    ...(captures > 0 ? [`${captures} ${captures === 1 ? 'capture' : 'captures'}`] : []),
    ...(audio > 0 ? [`the audio of ${audio} ${audio === 1 ? 'capture' : 'captures'}`] : []),
  ].join(' and ')
  const when = new Date(at + NOTICE_MS).toISOString()
  return {
    code: 'removal_announced',
    message: `${REASONS[why]} ${what} ${captures + audio === 1 ? 'has' : 'have'} been kept long enough. That is removed after ${when}, unless the limits in the settings are changed before; confirm_removal: true in a change of the settings has it done now.`,
  }
}

/** The warning for a capture that is already older on arrival than the settings store captures or audio. */
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
    message: `This was recorded more than ${days} days ago, which is how long the settings keep recordings. ${what} will be removed in a day, unless you star it or change that setting.`,
  }
}
