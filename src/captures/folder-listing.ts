// The contents of the captures folder by file name: records, audio, and unfinished files. Opens no file.

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UNFINISHED_SUFFIX } from '../lib/durable.ts'
import { isMissing } from '../lib/missing-file.ts'
import { isId } from '../lib/uuid.ts'
import { audioPathOf, CAPTURES_FOLDER, PEAKS_EXTENSION, RECORD_EXTENSION } from './capture-files.ts'

export type FolderListing = {
  /** ids that have a record */
  records: string[]
  /** by id: the path of its audio, relative to the data folder */
  audio: Map<string, string>
}

const NAME = /^([0-9a-f-]{36})\.([a-z0-9]{1,8})$/

export async function listFolder(dataFolder: string): Promise<FolderListing> {
  const listing: FolderListing = { records: [], audio: new Map() }
  const months = await namesIn(join(dataFolder, CAPTURES_FOLDER))
  for (const month of months.filter((name) => /^\d{4}-\d\d$/.test(name)).sort()) {
    for (const name of await namesIn(join(dataFolder, CAPTURES_FOLDER, month))) {
      const [, id, extension] = NAME.exec(name) ?? []
      if (id === undefined || extension === undefined || !isId(id)) continue
      if (`.${extension}` === RECORD_EXTENSION) listing.records.push(id)
      else if (`.${extension}` === PEAKS_EXTENSION) continue
      else if (audioPathOf(id, extension) === `${CAPTURES_FOLDER}/${month}/${name}`)
        listing.audio.set(id, audioPathOf(id, extension))
    }
  }
  return listing
}

/** Removes files that were being written when the process died; returns their number. */
export async function removeUnfinished(folder: string): Promise<number> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(UNFINISHED_SUFFIX))
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })))
  return names.length
}

/** Empty if there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
