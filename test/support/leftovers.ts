// What lies in a data folder and should not, when a server has started on it and nothing is under way.
// Looks at files alone.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A sentence for each: half-written files, uploads, decoded samples, audio of what was deleted. */
export async function leftovers(dataFolder: string): Promise<string[]> {
  const names = await readdir(dataFolder, { recursive: true })
  const own = names.filter((name) => !name.startsWith('postgres-'))
  const isLeft = (name: string) => name.endsWith('.part') || /^(incoming|work)\/./.test(name)
  const kept = new Set(own)
  const audioOfTheDeleted = await tombstonesWithAudio(dataFolder, kept)
  return [...own.filter(isLeft), ...audioOfTheDeleted].map((name) => `${name} is left over`)
}

async function tombstonesWithAudio(dataFolder: string, names: Set<string>): Promise<string[]> {
  const records = [...names].filter((name) => /^captures\/.*\.json$/.test(name))
  const read = await Promise.all(records.map((name) => Bun.file(join(dataFolder, name)).json()))
  return read
    .filter(({ state, audioPath }) => state === 'deleted' && names.has(audioPath))
    .map(({ audioPath }) => audioPath)
}
