// What there is when nothing is going on: memory, handles, threads, files left behind, the size of the folder.
// Looks from outside, as a person with a monitor does; nothing in the server is told to tidy up for it.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ROLES, type Role } from '../support/children.ts'
import { type Held, heldBy } from './processes.ts'

export type Sample = {
  /** of use */
  atHours: number
  held: Record<Role, Held>
  /** files that no capture needs: half received, decoded, or of captures that are deleted */
  leftovers: string[]
  folderMib: number
  databaseMib: number
}

const LOOK_EVERY_MS = 500

/** Waits so long without asking for anything, and then takes the lowest of what it sees. */
export async function sampleAtRest(
  { pid, dataFolder }: { pid: number; dataFolder: string },
  { restMs, hoursOfUse }: { restMs: number; hoursOfUse: () => number },
): Promise<Sample> {
  const beganAt = performance.now()
  const looks: Record<Role, Held>[] = []
  // Garbage is collected, and memory given back, some time after the last request.
  while (performance.now() - beganAt < restMs) {
    await Bun.sleep(LOOK_EVERY_MS)
    if (performance.now() - beganAt > (restMs * 2) / 3) looks.push(heldBy(pid))
  }
  const held = Object.fromEntries(ROLES.map((role) => [role, lowest(looks.map((look) => look[role]))]))
  const files = await filesOf(dataFolder)
  const mib = (some: File[]) => some.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 ** 2
  return {
    ...{ atHours: hoursOfUse(), held: held as Record<Role, Held> },
    leftovers: files.map(({ path }) => path).filter(isLeftOver),
    folderMib: mib(files),
    databaseMib: mib(files.filter(({ path }) => path.startsWith('postgres-'))),
  }
}

const lowest = (seen: Held[]): Held => seen.reduce((least, one) => (one.ownMib < least.ownMib ? one : least))

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
    // Postgres removes some of its files while this looks.
    files.map(async (path) => ({
      path: path.slice(folder.length + 1),
      bytes: (await stat(path).catch(() => null))?.size ?? 0,
    })),
  )
  return sized
}
