// The names of the recordings in a server's inbox, without their JSON files.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Incoming and waiting recordings. */
export const recordingsIn = async (dataFolder: string): Promise<string[]> =>
  (await readdir(join(dataFolder, 'inbox'))).filter((name) => !/\.json(\.part)?$/.test(name))
