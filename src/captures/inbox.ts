// The inbox: recordings that are not in the database yet, each as `<id>.audio` with a note in `<id>.json`.
// A recording stays there during the upload, and while the database or the disk refuses it (create-capture.ts).

import { existsSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { captures } from '../../db/schema.ts'
import { INBOX_SUFFIX } from '../audio/incoming.ts'
import type { Clock } from '../lib/clock.ts'
import { makeFolder, removeDurably, syncFolder, writeFileDurably } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { isMissing } from '../lib/missing-file.ts'
import { nullable, oneOf } from '../lib/schema.ts'
import { jsonMoment } from '../lib/schema-mapping.ts'
import { isId, newId } from '../lib/uuid.ts'

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
  /** its upload broke off */
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
