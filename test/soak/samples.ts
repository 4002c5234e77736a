// Samples an idle server from outside: memory, handles, threads, files left, the size of the folder.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ROLES, type Role } from '../support/children.ts'
import { type Resources, resourcesOf } from './processes.ts'

export type Sample = {
  /** hours of use */
  atHours: number
  held: Record<Role, Resources>
  /** files that no capture needs: partial uploads, decoded samples, files of deleted captures */
  leftovers: string[]
  folderMib: number
  databaseMib: number
}

const SAMPLE_EVERY_MS = 500

/** Waits without sending requests, and returns the lowest values of the last third. */
export async function sampleAtRest(
  { pid, dataFolder }: { pid: number; dataFolder: string },
  { restMs, hoursOfUse }: { restMs: number; hoursOfUse: () => number },
): Promise<Sample> {
  const beganAt = performance.now()
  const samples: Record<Role, Resources>[] = []
  // Garbage collection and freeing memory happen some time after the last request.
  while (performance.now() - beganAt < restMs) {
    await Bun.sleep(SAMPLE_EVERY_MS)
    if (performance.now() - beganAt > (restMs * 2) / 3) samples.push(resourcesOf(pid))
  }
  const held = Object.fromEntries(ROLES.map((role) => [role, lowest(samples.map((sample) => sample[role]))]))
  const files = await filesOf(dataFolder)
  const mib = (some: File[]) => some.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 ** 2
  return {
    ...{ atHours: hoursOfUse(), held: held as Record<Role, Resources> },
    leftovers: files.map(({ path }) => path).filter(isLeftOver),
    folderMib: mib(files),
    databaseMib: mib(files.filter(({ path }) => path.startsWith('postgres-'))),
  }
}

const lowest = (seen: Resources[]): Resources =>
  seen.reduce((least, one) => (one.ownMib < least.ownMib ? one : least))

/** A deleted capture leaves its tombstone, which the statistics need. */
const isLeftOver = (path: string): boolean =>
  /^(inbox|work)\//.test(path) || /\.(part|tmp|new)$/.test(path) || /^captures\/.*(?<!\.json)$/.test(path)

type File = { path: string; bytes: number }

async function filesOf(folder: string): Promise<File[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const sized = await Promise.all(
    // Postgres removes some of its files meanwhile.
    files.map(async (path) => ({
      path: path.slice(folder.length + 1),
      bytes: (await stat(path).catch(() => null))?.size ?? 0,
    })),
  )
  return sized
}
