// A database that could not be used, set aside for whoever wants to look into it: the newest alone, readable by its owner.
// It may hold texts that were deleted since, so it goes with the first deletion; when else, src/captures/retention.ts says.

import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makePrivate, syncFolder } from '../src/lib/durable.ts'

const NAME = /^postgres-\d+\.unusable-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/

/** Moves a database's folder away and gives its new path; the one that was set aside before is removed. */
export async function setAside(folder: string, now = new Date()): Promise<string> {
  const aside = `${folder}.unusable-${now.toISOString().replaceAll(':', '-')}`
  await rename(folder, aside)
  await makePrivate(aside)
  await syncFolder(dirname(folder))
  // One that cannot be removed is no reason not to start; retention tries again.
  await removeThose(dirname(folder), ({ name }) => name !== basename(aside)).catch(() => {})
  return aside
}

/** Removes for good what was set aside, or what was set aside before `before`. */
export const removeSetAside = (dataFolder: string, before?: Date): Promise<void> =>
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
