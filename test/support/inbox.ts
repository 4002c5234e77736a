// The recordings in a server's inbox, by their names.
// Notes beside them are left out.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Those that arrive and those that wait. */
export const recordingsIn = async (dataFolder: string): Promise<string[]> =>
  (await readdir(join(dataFolder, 'inbox'))).filter((name) => !/\.json(\.part)?$/.test(name))
