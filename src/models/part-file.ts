// The beginning of a model that is being downloaded, and the note beside it that lets a later run go on.
// Knows nothing of the network. A note without a part is a download that has not begun.

import { type FileHandle, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { removeDurably, UNFINISHED_SUFFIX, writeFileDurably } from '../lib/durable.ts'

/** In the models folder, so that a finished file only changes its name. */
export const DOWNLOADS_FOLDER = '.downloads'

const NOTE_SUFFIX = `${UNFINISHED_SUFFIX}.json`

const NoteSchema = Type.Object({
  /** a Downloadable's */
  id: Type.String({ minLength: 1, maxLength: 400 }),
  /** as the client called it */
  askedAs: Type.String({ minLength: 1, maxLength: 400 }),
  /** of whoever sent the bytes: what a continuation is conditional on */
  etag: Type.Union([Type.String({ maxLength: 1000 }), Type.Null()]),
  sha256: Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()]),
  bytes: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** whether it was under way when this was written; then the next start of the server goes on by itself */
  running: Type.Boolean(),
})

export type PartNote = Static<typeof NoteSchema>

export type PartFile = ReturnType<typeof partFile>

/** @param file the name that the model will have */
export function partFile(modelsFolder: string, file: string) {
  const path = join(modelsFolder, DOWNLOADS_FOLDER, `${file}${UNFINISHED_SUFFIX}`)
  const notePath = `${path}.json`
  return {
    path,
    /** 0 where there is none */
    size: async (): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0,
    readNote: () => readNote(notePath),
    writeNote: (note: PartNote) => writeFileDurably(notePath, JSON.stringify(note)),
    /** cut to `atByte`, from where it is written on */
    async openAt(atByte: number): Promise<FileHandle> {
      const handle = await open(path, 'a', 0o600)
      await truncate(path, atByte).catch(async (error) => {
        await handle.close()
        throw error
      })
      return handle
    },
    /** The note goes first: a power cut may bring back a part without one, which nobody goes on with. */
    async remove(): Promise<void> {
      await removeDurably(notePath)
      await rm(path, { force: true })
    },
  }
}

/** A note that cannot be read is none: the download begins anew. */
async function readNote(path: string): Promise<PartNote | null> {
  const note: unknown = await Bun.file(path)
    .json()
    .catch(() => null)
  return Value.Check(NoteSchema, note) ? note : null
}

/** What earlier runs left unfinished, in the order of the files' names. */
export async function unfinishedDownloads(modelsFolder: string): Promise<PartNote[]> {
  const folder = join(modelsFolder, DOWNLOADS_FOLDER)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(NOTE_SUFFIX)).sort()
  const notes = await Promise.all(names.map((name) => readNote(join(folder, name))))
  return notes.filter((note): note is PartNote => note !== null)
}

/**
 * Removes what nobody can go on with: parts without a readable note, notes of what cannot be had, uploads that broke off.
 * @param isKnown whether a note's id still means something
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
