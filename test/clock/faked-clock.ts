// A settable clock for one process, by libfaketime. The server's child processes get no environment and use the real clock.

import { existsSync, readdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type FakedClock = {
  /** for the environment of the process */
  env: Record<string, string>
  /** @param seconds ahead of the real clock; negative: behind */
  put(seconds: number): Promise<void>
}

const FOLDERS = ['/usr/lib', '/usr/lib64', '/usr/local/lib']
const LIBRARY = 'faketime/libfaketimeMT.so.1'

/** @returns null if libfaketime is not installed; Debian installs it into the architecture's folder */
export function findLibrary(): string | null {
  if (process.platform !== 'linux') return null
  const machines = FOLDERS.flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [],
  )
  const places = [...FOLDERS, ...machines].map((folder) => join(folder, LIBRARY))
  return places.find((path) => existsSync(path)) ?? null
}

/** @param passing whether the monotonic clock jumps too */
export async function fakedClock(
  file: string,
  { library, passing }: { library: string; passing: boolean },
): Promise<FakedClock> {
  // Replaced atomically: libfaketime reads the file at each query of the clock.
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
