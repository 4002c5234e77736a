// Verifies a model file: its SHA-256 if the catalogue has one, else its header, tensor table and contents.
// Caches the result, so that 1.5 GB are not read again at every start.

import type { Stats } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openBytes } from '../engine/bytes-on-disk.ts'
import { readGgmlFile } from '../engine/ggml-file.ts'
import { checkContents } from '../engine/model-contents.ts'
import { syncFile, syncFolder, writeFileDurably } from '../lib/durable.ts'
import { systemReason } from '../lib/os-errors.ts'
import { isInside, readInside, storedAt } from '../lib/own-files.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { sha256Of } from '../lib/sha256-of.ts'

export type ModelUnreadable = { code: 'model_unreadable'; message: string }

type Languages = {
  multilingual: boolean
  /** added with large-v3 and turbo; in other models its token means something else */
  knowsCantonese: boolean
}

export type CheckedFile = Languages & { bytes: number }

/** `sha256` and `bytes` are null if unknown. */
export type Expected = { file: string; sha256: string | null; bytes: number | null }

type Remembered = Languages & { stamp: string; sha256: string | null }

const MEMORY_FILE = '.checked-models.json'

/** Vocabulary size from which Cantonese has a token. */
const CANTONESE_VOCABULARY = 51_866

const unreadable = (message: string) => fail<ModelUnreadable>({ code: 'model_unreadable', message })

/** @throws errors that are not from the operating system */
const cannotRead = ({ file }: Expected, error: unknown) => {
  const reason = systemReason(error)
  if (reason === null) throw error
  return unreadable(`${file} cannot be read: ${reason}.`)
}

const readHead = (path: string) => {
  using source = openBytes(path)
  return readGgmlFile(source)
}

const contentOf = (path: string): Blob => (isInside(path) ? new Blob([readInside(path)]) : Bun.file(path))

const examine = async (
  path: string,
  { file, sha256, bytes }: Expected,
  size: number,
  signal?: AbortSignal,
): Promise<Result<Languages, ModelUnreadable>> => {
  if (bytes !== null && size !== bytes) {
    return unreadable(`${file} has ${size} bytes instead of ${bytes}: it is incomplete. Install it again.`)
  }
  if (sha256 !== null && (await sha256Of(contentOf(path), signal)) !== sha256) {
    return unreadable(`${file} is not the published file of that name (SHA-256 differs). Install it again.`)
  }
  const head = readHead(path)
  if (!head.ok) return unreadable(`${file}: ${head.failure.message}`)
  const { multilingual, shape } = head.value
  if (sha256 === null) {
    const contents = await checkContents(path, head.value, signal)
    if (!contents.ok) return unreadable(`${file}: ${contents.failure.message}`)
  }
  return succeed({ multilingual, knowsCantonese: shape.vocabulary >= CANTONESE_VOCABULARY })
}

const stampOf = ({ size, mtimeMs, ctimeMs, ino }: Stats) =>
  // ctime changes with every write and cannot be reset
  [size, mtimeMs, ctimeMs, ino].join()

/** @param folder stores the cache; if it is missing or read-only, nothing is cached */
export const createFileChecker = (folder: string) => {
  const memoryPath = join(folder, MEMORY_FILE)
  const running = new Map<string, Promise<Result<CheckedFile, ModelUnreadable>>>()
  let memory: Map<string, Remembered> | null = null

  /** An unreadable cache counts as empty: files are checked again. */
  const recall = async () => {
    memory ??= await Bun.file(memoryPath)
      .json()
      .then((content) => new Map<string, Remembered>(Object.entries(content)))
      .catch(() => new Map<string, Remembered>())
    return memory
  }

  const remember = async (path: string, remembered: Remembered) => {
    const all = await recall()
    all.set(path, remembered)
    await writeFileDurably(memoryPath, JSON.stringify(Object.fromEntries(all))).catch(() => {})
  }

  const check = async (path: string, expected: Expected): Promise<Result<CheckedFile, ModelUnreadable>> => {
    const stored = storedAt(path)
    const found = await stat(stored.path).catch((error: unknown) => cannotRead(expected, error))
    if ('ok' in found) return found
    if (!found.isFile()) return unreadable(`${expected.file} is not a file.`)
    const stamp = stampOf(found)
    // One that is compressed inside the executable is published.
    const size = stored.isCompressed ? expected.bytes! : found.size
    const known = (await recall()).get(path)
    const { multilingual, knowsCantonese } = known ?? {}
    // Another version's cache may lack one of these fields.
    if (
      known?.stamp === stamp &&
      known.sha256 === expected.sha256 &&
      multilingual !== undefined &&
      knowsCantonese !== undefined
    ) {
      return succeed({ bytes: size, multilingual, knowsCantonese })
    }
    const examined = await examine(path, expected, size).catch((error: unknown) =>
      cannotRead(expected, error),
    )
    if (!examined.ok) return examined
    await remember(path, { stamp, sha256: expected.sha256, ...examined.value })
    return succeed({ bytes: size, ...examined.value })
  }

  return {
    /** Concurrent checks of a file share one read. */
    check(path: string, expected: Expected): Promise<Result<CheckedFile, ModelUnreadable>> {
      const ongoing = running.get(path)
      if (ongoing) return ongoing
      const started = check(path, expected).finally(() => running.delete(path))
      running.set(path, started)
      return started
    },

    /**
     * Verifies a new file, then renames it durably to its final name. The result is cached, so the first use does not
     * read it again. A file that fails stays in place.
     * @throws the signal's reason if it aborts before the rename, and file system errors
     */
    async admit({ from, to, expected, signal }: Admission): Promise<Result<CheckedFile, ModelUnreadable>> {
      const { size } = await stat(from)
      const examined = await examine(from, expected, size, signal)
      if (!examined.ok) return examined
      await syncFile(from)
      signal?.throwIfAborted()
      await rename(from, to)
      await syncFolder(dirname(to))
      await remember(to, { stamp: stampOf(await stat(to)), sha256: expected.sha256, ...examined.value })
      return succeed({ bytes: size, ...examined.value })
    },
  }
}

type Admission = { from: string; to: string; expected: Expected; signal?: AbortSignal }
