// The segments and versions of a long capture, in a file beside its record: what is small changes without them.
// Which of the two files counts is in the record (record.ts), which is written after the one it names.

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { syncFolder, writeFileDurably } from '../lib/durable.ts'
import { jsonProperties, reviver } from '../lib/entity.ts'
import { freeLater } from '../lib/free-later.ts'
import { jsonPieces } from '../lib/json-pieces.ts'
import { isMissing } from '../lib/missing-file.ts'
import { CaptureSchema, type CaptureVersion, CaptureVersionSchema, type Segments } from './capture.ts'
import { folderOf, segmentsPathOf, unreadableSegmentsPathOf } from './capture-files.ts'
import { charactersOf } from './versions.ts'

/** Of two files the one that is not in use is written, so that no crash leaves a record without its segments. */
export const SLOTS = [0, 1] as const
const Slot = Type.Union(SLOTS.map((slot) => Type.Literal(slot)))

/** Which file, and the revision of the capture it was written for. */
export const ApartSchema = Type.Object({ slot: Slot, revision: Type.Integer() })
export type Apart = Static<typeof ApartSchema>

export type SegmentsApart = { segments: Segments; versions: CaptureVersion[] }

/** Of some ten minutes, counted with the versions: 100 kB that a star need not write again. */
const MANY_SEGMENTS = 100
const MANY_CHARACTERS = 100_000

export const isLong = ({ segments, versions }: SegmentsApart): boolean =>
  versions.reduce((sum, version) => sum + version.segments.length, segments.length) > MANY_SEGMENTS ||
  versions.reduce((sum, version) => sum + charactersOf(version), 0) > MANY_CHARACTERS

/** As a file has them: this one, or the record of a capture that is not long. */
export const STORED_SEGMENTS = {
  segments: jsonProperties(CaptureSchema.properties).segments,
  versions: Type.Array(Type.Object(jsonProperties(CaptureVersionSchema.properties))),
}
export const versionOf = reviver(CaptureVersionSchema.properties)

const Stored = Type.Object({
  format: Type.Literal(1),
  id: Type.String(),
  revision: Type.Integer(),
  ...STORED_SEGMENTS,
})
const stored = TypeCompiler.Compile(Stored)

/** Of whose segments and versions. */
export type SegmentsKey = { dataFolder: string; id: string }

/** Survives a power cut when it resolves; counts as soon as a record names it. */
export async function writeSegments(
  { dataFolder, id }: SegmentsKey,
  { slot, revision }: Apart,
  { segments, versions }: SegmentsApart,
): Promise<void> {
  const path = segmentsPathOf(dataFolder, id, slot)
  // Left over by a crash: the record that names the other file may not be durable yet, and would be cut back to this one.
  if (existsSync(path)) await syncFolder(folderOf(dataFolder, id))
  const content = jsonPieces({ format: 1, id, revision, segments, versions })
  await writeFileDurably(path, content)
}

/** Null where there are none of this revision. @throws where the disk fails */
export function readSegments(key: SegmentsKey, { slot, revision }: Apart): SegmentsApart | null {
  const found = readSlot(key, slot)
  return found?.revision === revision ? found : null
}

/** Of a capture without a readable record: the newest up to the revision that the index knows. */
export function newestSegments(key: SegmentsKey, latest: number): (SegmentsApart & { apart: Apart }) | null {
  const found = SLOTS.flatMap((slot) => {
    const read = readSlot(key, slot)
    return read === null || read.revision > latest ? [] : [{ slot, ...read }]
  })
  const [newest] = found.toSorted((one, other) => other.revision - one.revision)
  if (newest === undefined) return null
  const { slot, revision, segments, versions } = newest
  return { apart: { slot, revision }, segments, versions }
}

function readSlot(
  { dataFolder, id }: SegmentsKey,
  slot: Apart['slot'],
): (SegmentsApart & { revision: number }) | null {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(segmentsPathOf(dataFolder, id, slot), 'utf8'))
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null
    throw error
  }
  if (!stored.Check(value) || value.id !== id) return null
  const { revision, segments, versions } = value
  return { revision, segments, versions: versions.map(versionOf) }
}

/**
 * Of a record that is on the disk: what it does not name is of an earlier revision, or was never named. What cannot be
 * erased is with the next change.
 */
export function eraseOtherSegments(key: SegmentsKey, apart: Apart | null): void {
  for (const slot of SLOTS) if (slot !== apart?.slot) eraseSlot(key, slot)
}

export function eraseSlot({ dataFolder, id }: SegmentsKey, slot: Apart['slot']): void {
  const path = segmentsPathOf(dataFolder, id, slot)
  if (!existsSync(path)) return
  try {
    freeLater(path, () => rmSync(path))
  } catch {}
}

/** Beside a record that cannot be read, for a person to mend. */
export async function setSegmentsAside({ dataFolder, id }: SegmentsKey): Promise<void> {
  for (const slot of SLOTS) {
    const path = segmentsPathOf(dataFolder, id, slot)
    if (existsSync(path)) await rename(path, unreadableSegmentsPathOf(dataFolder, id, slot))
  }
}
