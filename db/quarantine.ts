// Quarantine for a database that could not be used: only the newest one, readable by its owner.
// It may contain texts that were deleted since, so the first deletion removes it; src/captures/retention.ts removes it
// otherwise.

import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makePrivate, syncFolder } from '../src/lib/durable.ts'

const NAME = /^postgres-\d+\.unusable-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/

/** Moves a database's folder away and returns its new path; removes the one that was quarantined before. */
export async function quarantine(folder: string, now = new Date()): Promise<string> {
  const aside = `${folder}.unusable-${now.toISOString().replaceAll(':', '-')}`
  await rename(folder, aside)
  await makePrivate(aside)
  await syncFolder(dirname(folder))
  // A failed removal must not stop the start; retention tries again.
  await removeThose(dirname(folder), ({ name }) => name !== basename(aside)).catch(() => {})
  return aside
}

/** Removes quarantined databases for good: all, or those from before `before`. */
export const removeQuarantined = (dataFolder: string, before?: Date): Promise<void> =>
  removeThose(dataFolder, ({ since }) => before === undefined || since < before)

type SetAside = { name: string; since: Date }

async function removeThose(dataFolder: string, isMeant: (one: SetAside) => boolean): Promise<void> {
  const meant = (await readdir(dataFolder)).flatMap(setAsideOf).filter(isMeant)
  for (const { name } of meant) await rm(join(dataFolder, name), { recursive: true, force: true })
  if (meant.length > 0) await syncFolder(dataFolder)
}

function setAsideOf(name: string): SetAside[] {
  const [, hour, minute, second] = NAME.exec(name) ?? []
  return hour === undefined ? [] : [{ name, since: new Date(`${hour}:${minute}:${second}`) }]
}
