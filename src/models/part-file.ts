// The received part of a download, and the note beside it that a later run resumes from.
// A note without a part is a download that has not begun. One download or import at a time changes the folder.

import { type FileHandle, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { removeDurably, UNFINISHED_SUFFIX, writeFileDurably } from '../lib/durable.ts'
import { type InstanceLock, takeInstanceLock } from '../lib/lock.ts'
import { fail, type Result, succeed } from '../lib/result.ts'

/** Inside the models folder, so that a finished file only needs a rename. */
export const DOWNLOADS_FOLDER = '.downloads'

const NOTE_SUFFIX = `${UNFINISHED_SUFFIX}.json`

const NoteSchema = Type.Object({
  /** Downloadable.id */
  id: Type.String({ minLength: 1, maxLength: 400 }),
  /** the name in the client's request */
  askedAs: Type.String({ minLength: 1, maxLength: 400 }),
  /** ETag of the host that sent the bytes, for If-Range */
  etag: Type.Union([Type.String({ maxLength: 1000 }), Type.Null()]),
  sha256: Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()]),
  bytes: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** whether the download was running; the next start of the server then resumes it */
  running: Type.Boolean(),
})

export type PartNote = Static<typeof NoteSchema>

export type PartFile = ReturnType<typeof partFile>

/** @param file the model's final file name */
export function partFile(modelsFolder: string, file: string) {
  const path = join(modelsFolder, DOWNLOADS_FOLDER, `${file}${UNFINISHED_SUFFIX}`)
  const notePath = `${path}.json`
  return {
    path,
    /** 0 if missing */
    size: async (): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0,
    readNote: () => readNote(notePath),
    writeNote: (note: PartNote) => writeFileDurably(notePath, JSON.stringify(note)),
    /** truncated to `atByte`; writes append */
    async openAt(atByte: number): Promise<FileHandle> {
      const handle = await open(path, 'a', 0o600)
      await truncate(path, atByte).catch(async (error) => {
        await handle.close()
        throw error
      })
      return handle
    },
    /** Removes the note first: after a power cut, a part without a note is not resumed. */
    async remove(): Promise<void> {
      await removeDurably(notePath)
      await rm(path, { force: true })
    },
  }
}

/** An unreadable note counts as missing: the download restarts. */
async function readNote(path: string): Promise<PartNote | null> {
  const note: unknown = await Bun.file(path)
    .json()
    .catch(() => null)
  return Value.Check(NoteSchema, note) ? note : null
}

/** Unfinished downloads of earlier runs, ordered by file name. */
export async function unfinishedDownloads(modelsFolder: string): Promise<PartNote[]> {
  const folder = join(modelsFolder, DOWNLOADS_FOLDER)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(NOTE_SUFFIX)).sort()
  const notes = await Promise.all(names.map((name) => readNote(join(folder, name))))
  return notes.filter((note): note is PartNote => note !== null)
}

/**
 * Removes files that cannot be resumed: parts without a readable note, notes of unknown models, interrupted uploads.
 * @param isKnown whether a note's id is still valid
 */
export async function removeStrays(modelsFolder: string, isKnown: (id: string) => boolean): Promise<void> {
  const folder = join(modelsFolder, DOWNLOADS_FOLDER)
  for (const name of await readdir(folder).catch(() => [])) {
    const part = name.replace(/\.json$/, '')
    if (!part.endsWith(UNFINISHED_SUFFIX)) continue
    const note = await readNote(join(folder, `${part}.json`))
    if (note === null || !isKnown(note.id)) await rm(join(folder, name), { force: true })
  }
}

export type FolderBusy = { code: 'model_folder_busy'; message: string }

export type FolderTurn = {
  /** @throws file system errors */
  take(): Promise<Result<{ giveBack(): void }, FolderBusy>>
}

const BUSY: FolderBusy = {
  code: 'model_folder_busy',
  message: 'Another program is installing a model into the models folder. Try again when it is done.',
}

export function createFolderTurn(modelsFolder: string): FolderTurn {
  let holders = 0
  let taking: Promise<Result<InstanceLock, unknown>> | null = null

  const giveBack = (lock: InstanceLock) => {
    holders -= 1
    if (holders > 0) return
    taking = null
    lock.release()
  }

  return {
    async take() {
      holders += 1
      // No waiting: a client expects a response, and another server may hold the lock for an hour.
      taking ??= takeInstanceLock(join(modelsFolder, DOWNLOADS_FOLDER), { patienceMs: 0 })
      const attempt = taking
      const taken = await attempt.catch((error) => {
        holders -= 1
        if (taking === attempt) taking = null
        throw error
      })
      if (taken.ok) return succeed({ giveBack: () => giveBack(taken.value) })
      holders -= 1
      if (taking === attempt) taking = null
      return fail(BUSY)
    },
  }
}
