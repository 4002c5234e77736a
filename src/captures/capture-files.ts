// Where the files of captures are: their paths, the listing of the captures folder, and the inbox with its notes.
// No client text ever becomes part of a path.

import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { captures } from '../../db/schema.ts'
import type { AudioKind } from '../audio/audio-file.ts'
import { INBOX_SUFFIX } from '../audio/incoming.ts'
import { sniffFile } from '../audio/sniff.ts'
import type { Clock } from '../lib/clock.ts'
import { makeFolder, removeDurably, syncFolder, UNFINISHED_SUFFIX, writeFileDurably } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { isMissing, nullIfMissing } from '../lib/os-errors.ts'
import { nullable, oneOf } from '../lib/schema.ts'
import { jsonMoment } from '../lib/schema-mapping.ts'
import { isId, newId, timeOfId } from '../lib/uuid.ts'
import type { Store } from '../store/store.ts'

export const CAPTURES_FOLDER = 'captures'
const RECORD_EXTENSION = '.json'
/** Of the waveform that waveform.ts stores beside the audio. */
const PEAKS_EXTENSION = '.peaks'

/** The month in which the id was created; it names the folder of the capture's files. */
const monthOf = (id: string): string => timeOfId(id).toISOString().slice(0, 7)

/** The beginning of the paths of all of its files. */
export const pathOf = (id: string): string => `${CAPTURES_FOLDER}/${monthOf(id)}/${id}`

/** Relative to the data folder, with forward slashes, as stored in the database. */
export const audioPathOf = (id: string, extension: string): string => `${pathOf(id)}.${extension}`

/** Of the record beside the audio; like all paths here, relative to the data folder. */
export const recordPathOf = (id: string): string => `${pathOf(id)}${RECORD_EXTENSION}`

/** Absolute, since waveforms are never shared. */
export const peaksPathOf = (folder: string, id: string): string =>
  join(folder, `${pathOf(id)}${PEAKS_EXTENSION}`)

/** Earlier versions stored the segments of a long capture here. */
export const segmentsPathOf = (id: string, slot: 0 | 1): string => `${pathOf(id)}.segments.${slot}`

/** An unreadable record, moved aside. */
export const unreadablePathOf = (id: string): string => `${recordPathOf(id)}.unreadable`

/** The segments beside that record. */
export const unreadableSegmentsPathOf = (id: string, slot: 0 | 1): string =>
  `${segmentsPathOf(id, slot)}.unreadable`

/** Whether a stored path is one that the server made for this capture; a record may have been edited by hand. */
export const isAudioPathOf = (id: string, path: string): boolean =>
  path.startsWith(`${pathOf(id)}.`) && /\.[a-z0-9]{1,8}$/.test(path)

/** The format of a file by its first bytes; null if unknown. */
export const audioKindOf = (path: string): AudioKind | null => sniffFile(path)?.kind ?? null

export type FolderListing = {
  /** ids that have a record */
  records: string[]
  /** by id: the path of its audio, relative to the data folder */
  audio: Map<string, string>
}

const PATH = new RegExp(`^${CAPTURES_FOLDER}/\\d{4}-\\d\\d/([0-9a-f-]{36})\\.([a-z0-9]{1,8})$`)

export async function listCaptureFiles(store: Pick<Store, 'list'>): Promise<FolderListing> {
  const listing: FolderListing = { records: [], audio: new Map() }
  for await (const path of store.list(`${CAPTURES_FOLDER}/`)) {
    const [, id, extension] = PATH.exec(path) ?? []
    if (id === undefined || extension === undefined || !isId(id)) continue
    if (`.${extension}` === RECORD_EXTENSION) listing.records.push(id)
    else if (`.${extension}` === PEAKS_EXTENSION) continue
    else if (audioPathOf(id, extension) === path) listing.audio.set(id, path)
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
  return (await readdir(folder).catch(nullIfMissing)) ?? []
}

const maybeText = nullable(Type.String())

const Fields = Type.Object({
  source: oneOf(captures.source.enumValues),
  language: maybeText,
  sttModel: maybeText,
  fileName: maybeText,
  title: maybeText,
  recordedAt: Type.Optional(jsonMoment()),
  writingStyleId: maybeText,
  refine: nullable(Type.Boolean()),
  appName: maybeText,
  appId: maybeText,
  appUrl: maybeText,
  windowTitle: maybeText,
})

const Stored = Type.Object({
  format: Type.Literal(1),
  id: Type.String(),
  jobId: Type.String(),
  madeAt: jsonMoment(),
  fields: Fields,
  /** its upload was interrupted */
  isInterrupted: Type.Boolean(),
  /** it goes into the trash, untranscribed */
  isDiscarded: Type.Boolean(),
})
const storedNote = TypeCompiler.Compile(Stored)

type StoredNote = Static<typeof Stored>
type StoredFields = StoredNote['fields']

/** The note of a recording in the inbox, with the ids that the client received. */
export type InboxNote = Pick<StoredNote, 'id' | 'jobId' | 'isInterrupted' | 'isDiscarded'> & {
  madeAt: Date
  fields: Omit<StoredFields, 'recordedAt'> & { recordedAt?: Date | undefined }
}

export const audioInInbox = (folder: string, id: string): string => join(folder, `${id}${INBOX_SUFFIX}`)
const notePathOf = (folder: string, id: string): string => join(folder, `${id}.json`)

export const isInInbox = (path: string): boolean => path.endsWith(INBOX_SUFFIX)

/** The id of a recording or of its note; null for another file. */
export function idInInbox(name: string): string | null {
  const [, id = null] = /^([0-9a-f-]{36})\.(?:audio|json)$/.exec(name) ?? []
  return id
}

/** Survives a power cut once it resolves. */
export async function writeNote(folder: string, note: InboxNote): Promise<void> {
  await writeFileDurably(notePathOf(folder, note.id), `${JSON.stringify({ format: 1, ...note })}\n`)
}

/** A recording that is about to arrive, with the ids of its capture and job. */
export type Arrival = Pick<InboxNote, 'id' | 'jobId' | 'madeAt'> & {
  /** settles when its note is durable or cannot be written */
  noted: Promise<void>
  /** call it if nothing of it arrived */
  forget(): Promise<void>
}

/**
 * Writes the note of a recording that is about to arrive, so that a crash loses none of its fields. The upload does not
 * wait for the note, and continues if the note cannot be written.
 */
export function noteArrival(
  { inboxFolder, clock, log }: { inboxFolder: string; clock: Clock; log: Log },
  { fields, isDiscarded }: Pick<InboxNote, 'fields' | 'isDiscarded'>,
): Arrival {
  const madeAt = clock()
  const ids = { id: newId(madeAt), jobId: newId(madeAt), madeAt }
  const noted = writeNote(inboxFolder, { ...ids, fields, isDiscarded, isInterrupted: true }).catch(
    (error: unknown) =>
      log.warn(
        { captureId: ids.id, reason: String(error) },
        'could not write the inbox note of an incoming recording',
      ),
  )
  const forget = async () => {
    await noted
    await forgetNote(inboxFolder, ids.id)
  }
  return { ...ids, noted, forget }
}

/** Moves a recording into the inbox, its note first; both are durable once it resolves. Returns the new path. */
export async function putInInbox(folder: string, note: InboxNote, from: string): Promise<string> {
  const path = audioInInbox(folder, note.id)
  await makeFolder(folder)
  await writeNote(folder, note)
  await rename(from, path)
  await syncFolder(folder)
  await syncFolder(dirname(from))
  return path
}

/** Null if there is no readable note. */
export async function readNote(folder: string, id: string): Promise<InboxNote | null> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(notePathOf(folder, id), 'utf8'))
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null
    throw error
  }
  if (!storedNote.Check(value) || value.id !== id || !isId(value.jobId)) return null
  const { format: _ours, madeAt, fields, ...note } = value
  const { recordedAt, ...others } = fields
  return {
    ...note,
    madeAt: new Date(madeAt),
    fields: { ...others, ...(recordedAt !== undefined && { recordedAt: new Date(recordedAt) }) },
  }
}

/** A note that stays is found at the next start, together with its capture. */
export const forgetNote = (folder: string, id: string): Promise<void> => {
  const path = notePathOf(folder, id)
  return existsSync(path) ? removeDurably(path).catch(() => {}) : Promise.resolve()
}
