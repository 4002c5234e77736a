// Whether a model file is what its name says: its SHA-256 where the catalogue has one, else its head, table and contents.
// Remembers what it checked, so that 1.5 GB are not read again at every start; loads nothing.

import type { Stats } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openBytes } from '../engine/bytes-on-disk.ts'
import { readGgmlFile } from '../engine/ggml-file.ts'
import { checkContents } from '../engine/model-contents.ts'
import { syncFile, syncFolder, writeFileDurably } from '../lib/durable.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { sha256Of } from '../lib/sha256-of.ts'
import { systemReason } from '../lib/system-reason.ts'

export type ModelUnreadable = { code: 'model_unreadable'; message: string }

type Languages = {
  multilingual: boolean
  /** the language that large-v3 and turbo brought; for the others its token means something else */
  knowsCantonese: boolean
}

export type CheckedFile = Languages & { bytes: number }

/** `sha256` and `bytes` are null where nothing is known beforehand. */
export type Expected = { file: string; sha256: string | null; bytes: number | null }

type Remembered = Languages & { stamp: string; sha256: string | null }

const MEMORY_FILE = '.checked-models.json'

/** A model with so many tokens has one for Cantonese. */
const CANTONESE_VOCABULARY = 51_866

const unreadable = (message: string) => fail<ModelUnreadable>({ code: 'model_unreadable', message })

/** @throws what is not the system's refusal */
const cannotRead = ({ file }: Expected, error: unknown) => {
  const reason = systemReason(error)
  if (reason === null) throw error
  return unreadable(`${file} cannot be read: ${reason}.`)
}

const readHead = (path: string) => {
  using source = openBytes(path)
  return readGgmlFile(source)
}

const examine = async (
  path: string,
  { file, sha256, bytes }: Expected,
  size: number,
  signal?: AbortSignal,
): Promise<Result<Languages, ModelUnreadable>> => {
  if (bytes !== null && size !== bytes) {
    return unreadable(`${file} has ${size} bytes instead of ${bytes}: it is not whole. Install it again.`)
  }
  if (sha256 !== null && (await sha256Of(path, signal)) !== sha256) {
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
  // ctime changes with every write and cannot be set back
  [size, mtimeMs, ctimeMs, ino].join()

/** @param folder where to keep what was checked; nothing is kept where it does not exist or is read-only */
export const createFileChecker = (folder: string) => {
  const memoryPath = join(folder, MEMORY_FILE)
  const running = new Map<string, Promise<Result<CheckedFile, ModelUnreadable>>>()
  let memory: Map<string, Remembered> | null = null

  /** A memory that cannot be read is none: files are then checked again. */
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
    const found = await stat(path).catch((error: unknown) => cannotRead(expected, error))
    if ('ok' in found) return found
    if (!found.isFile()) return unreadable(`${expected.file} is no file.`)
    const stamp = stampOf(found)
    const known = (await recall()).get(path)
    const { multilingual, knowsCantonese } = known ?? {}
    // What another version of this program remembered may lack one of them.
    if (
      known?.stamp === stamp &&
      known.sha256 === expected.sha256 &&
      multilingual !== undefined &&
      knowsCantonese !== undefined
    ) {
      return succeed({ bytes: found.size, multilingual, knowsCantonese })
    }
    const examined = await examine(path, expected, found.size).catch((error: unknown) =>
      cannotRead(expected, error),
    )
    if (!examined.ok) return examined
    await remember(path, { stamp, sha256: expected.sha256, ...examined.value })
    return succeed({ bytes: found.size, ...examined.value })
  }

  return {
    /** A file is read once, however many ask for it at a time. */
    check(path: string, expected: Expected): Promise<Result<CheckedFile, ModelUnreadable>> {
      const ongoing = running.get(path)
      if (ongoing) return ongoing
      const started = check(path, expected).finally(() => running.delete(path))
      running.set(path, started)
      return started
    },

    /**
     * Checks a file that has just arrived, and only then gives it its name, durably. It need not be read again before
     * its first use. A file that fails stays where it is.
     * @throws the signal's reason when it fires before the renaming, and what the file system throws
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
