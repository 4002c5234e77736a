// A shared store with its local cache. Every recording is checked against its hash when it arrives from the store, and
// when this process first reads it from the cache.

import { createWriteStream, existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { debounce } from '../lib/debounce.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import { nullIfMissing } from '../lib/os-errors.ts'
import { sha256Of } from '../lib/sha256-of.ts'
import { newId } from '../lib/uuid.ts'
import { fill, linkOrCopy, noteUse, sweepCache } from './local-cache.ts'
import { persistently } from './persistently.ts'
import { DamagedRecordingError, type SharedFiles, type Store } from './store.ts'

type Deps = {
  address: string
  files: SharedFiles
  /** of the cache */
  folder: string
  /** limit of the cache */
  maxBytes: number
  log: Log
}

const SWEEP_DELAY_MS = 1000

export function createCachedStore({ address, files, folder, maxBytes, log }: Deps): Store {
  const inTurn = createKeyedLock()
  /** cached recordings whose hash this process has checked */
  const checked = new Set<string>()
  const localOf = (path: string) => join(folder, path)
  const sweeping = debounce(
    () =>
      sweepCache(folder, { maxBytes }).catch((error: unknown) =>
        log.warn({ reason: String(error) }, 'the cache of recordings could not be swept'),
      ),
    SWEEP_DELAY_MS,
  )

  async function isCached(path: string, sha256: string): Promise<boolean> {
    if (!existsSync(localOf(path))) return false
    // A power cut may have spoiled a file of the cache, which is never synced.
    return checked.has(path) || (await sha256Of(localOf(path))) === sha256
  }

  const fetch = (path: string, sha256: string) =>
    persistently(() =>
      fill(localOf(path), async (unfinished) => {
        await pipeline(Readable.from(await files.get(path)), createWriteStream(unfinished, { mode: 0o600 }))
        if ((await sha256Of(unfinished)) !== sha256)
          throw new DamagedRecordingError(`${path} in ${address} is not what was received`, { mayPass: true })
      }),
    )

  /** A text goes through a local file, so that a store has one way to receive. */
  async function write(path: string, pieces: Iterable<string>): Promise<void> {
    const file = join(folder, `${newId(new Date())}.text`)
    try {
      // Bun 1.4.5 writes zeros behind pieces that are not ASCII.
      await writeFile(file, [...pieces].join(''), { mode: 0o600 })
      await persistently(() => files.put(path, file))
    } finally {
      await rm(file, { force: true })
    }
  }

  return {
    address,
    folder,
    async put(path, file, onLocal) {
      // A worker here then needs no download.
      await inTurn(path, () => fill(localOf(path), (unfinished) => linkOrCopy(file, unfinished)))
      checked.add(path)
      onLocal?.(localOf(path))
      await persistently(() => files.put(path, file))
      sweeping.request()
    },
    get: (path, sha256) =>
      inTurn(path, async () => {
        if (await isCached(path, sha256)) await noteUse(localOf(path))
        else await fetch(path, sha256)
        checked.add(path)
        sweeping.request()
        return localOf(path)
      }),
    hash: (path) => persistently(async () => sha256Of(await files.get(path))),
    write: (path, text) => write(path, typeof text === 'string' ? [text] : text),
    read: (path) =>
      persistently(async () => {
        try {
          return Buffer.concat(await Array.fromAsync(await files.get(path)))
        } catch (error) {
          return nullIfMissing(error)
        }
      }),
    async remove(path) {
      checked.delete(path)
      await rm(localOf(path), { force: true })
      await persistently(() => files.remove(path))
    },
    list: (prefix) => files.list(prefix),
  }
}
