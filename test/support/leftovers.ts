// Finds files that should not exist in the data folder of an idle server.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A sentence for each: partial files, uploads, notes, decoded samples, audio of deleted captures. */
export async function leftovers(dataFolder: string): Promise<string[]> {
  const names = await readdir(dataFolder, { recursive: true })
  const own = names.filter((name) => !name.startsWith('postgres-'))
  const isLeft = (name: string) => name.endsWith('.part') || /^(inbox|work)\/./.test(name)
  const kept = new Set(own)
  const ofTheDeleted = await filesOfTombstones(dataFolder, kept)
  return [...own.filter(isLeft), ...ofTheDeleted].map((name) => `${name} is left over`)
}

async function filesOfTombstones(dataFolder: string, names: Set<string>): Promise<string[]> {
  const records = [...names].filter((name) => /^captures\/.*\.json$/.test(name))
  const read = await Promise.all(records.map((name) => Bun.file(join(dataFolder, name)).json()))
  return read
    .filter(({ state }) => state === 'deleted')
    .map(({ audioPath }) => audioPath)
    .filter((name) => names.has(name))
}
