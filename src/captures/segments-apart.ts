// The segments and versions of a long capture, in a file beside its record: what is small changes without them.
// Which of the two files counts is in the record (record.ts), which is written after the one it names.

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { writeFileDurably } from '../lib/durable.ts'
import { jsonProperties, reviver } from '../lib/entity.ts'
import { jsonPieces } from '../lib/json-pieces.ts'
import { isMissing } from '../lib/missing-file.ts'
import { CaptureSchema, type CaptureVersion, CaptureVersionSchema, type Segments } from './capture.ts'
import { segmentsPathOf } from './capture-files.ts'

/** Of two files the one that is not in use is written, so that no crash leaves a record without its segments. */
export const SLOTS = [0, 1] as const
const Slot = Type.Union(SLOTS.map((slot) => Type.Literal(slot)))

/** Which file, and the revision of the capture it was written for. */
export const ApartSchema = Type.Object({ slot: Slot, revision: Type.Integer() })
export type Apart = Static<typeof ApartSchema>

export type SegmentsApart = { segments: Segments; versions: CaptureVersion[] }

/** Of some ten minutes, counted with the versions: 100 kB that a star need not write again. */
const MANY_SEGMENTS = 100

export const isLong = ({ segments, versions }: SegmentsApart): boolean =>
  versions.reduce((sum, version) => sum + version.segments.length, segments.length) > MANY_SEGMENTS

const { segments } = jsonProperties(CaptureSchema.properties)
const Stored = Type.Object({
  format: Type.Literal(1),
  id: Type.String(),
  revision: Type.Integer(),
  segments,
  versions: Type.Array(Type.Object(jsonProperties(CaptureVersionSchema.properties))),
})
const stored = TypeCompiler.Compile(Stored)
const versionOf = reviver(CaptureVersionSchema.properties)

type Key = { dataFolder: string; id: string }

/** Survives a power cut when it resolves; counts as soon as a record names it. */
export async function writeSegments(
  { dataFolder, id }: Key,
  { slot, revision }: Apart,
  { segments, versions }: SegmentsApart,
): Promise<void> {
  const content = jsonPieces({ format: 1, id, revision, segments, versions })
  await writeFileDurably(segmentsPathOf(dataFolder, id, slot), content)
}

/** Null where there are none of this revision. */
export function readSegments({ dataFolder, id }: Key, { slot, revision }: Apart): SegmentsApart | null {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(segmentsPathOf(dataFolder, id, slot), 'utf8'))
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null
    throw error
  }
  if (!stored.Check(value) || value.id !== id || value.revision !== revision) return null
  return { segments: value.segments, versions: value.versions.map(versionOf) }
}

/**
 * Of a record that is on the disk: what it does not name is of an earlier revision, or was never named. What cannot be
 * erased is with the next change.
 */
export function eraseOtherSegments({ dataFolder, id }: Key, apart: Apart | null): void {
  for (const slot of SLOTS) {
    const path = segmentsPathOf(dataFolder, id, slot)
    if (slot === apart?.slot || !existsSync(path)) continue
    try {
      rmSync(path)
    } catch {}
  }
}
