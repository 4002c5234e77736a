// A clock for one process that can be put: libfaketime between the real server and its system, read anew at each look.
// The server knows nothing of it; its children, which are given no environment, go by the real clock.

import { existsSync, readdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type FakedClock = {
  /** for the environment of the process */
  env: Record<string, string>
  /** so many seconds ahead of the real clock; below nothing: behind */
  put(seconds: number): Promise<void>
}

const FOLDERS = ['/usr/lib', '/usr/lib64', '/usr/local/lib']
const LIBRARY = 'faketime/libfaketimeMT.so.1'

/** Null where libfaketime is not installed; Debian has it in the folder of the machine's kind. */
export function findLibrary(): string | null {
  if (process.platform !== 'linux') return null
  const machines = FOLDERS.flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [],
  )
  const places = [...FOLDERS, ...machines].map((folder) => join(folder, LIBRARY))
  return places.find((path) => existsSync(path)) ?? null
}

/** `passing`: what it is put forward by passes for the process, too; else its clock alone is put. */
export async function fakedClock(
  file: string,
  { library, passing }: { library: string; passing: boolean },
): Promise<FakedClock> {
  // Never half written: it is read at each look at the clock.
  const put = async (seconds: number) => {
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}`)
    await rename(`${file}.new`, file)
  }
  await put(0)
  return {
    put,
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      ...(passing ? {} : { FAKETIME_DONT_FAKE_MONOTONIC: '1' }),
    },
  }
}
