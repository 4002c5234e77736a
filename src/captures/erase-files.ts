// Erases the files of a deleted capture, which leaves a tombstone.

import { existsSync } from 'node:fs'
import { noteErased } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import type { DeletedCaptureRow } from '../../db/schema.ts'
import { removeDurably } from '../lib/durable.ts'
import type { Store } from '../store/store.ts'
import { peaksPathOf, segmentsPathOf, unreadablePathOf, unreadableSegmentsPathOf } from './capture-files.ts'
import { SLOTS, writeRecord } from './record.ts'

/**
 * Erases the files of a deleted capture. A tombstone replaces its copy, so that a rebuild does not bring it back.
 * @throws the first error, after trying all files
 */
export async function eraseFiles(
  { database, store }: { database: Database; store: Store },
  { audioPath, ...remains }: DeletedCaptureRow,
): Promise<void> {
  if (audioPath === null) return
  const { id } = remains
  await writeRecord(store, { state: 'deleted', remains, audioPath })
  const paths = [
    audioPath,
    unreadablePathOf(id),
    ...[segmentsPathOf, unreadableSegmentsPathOf].flatMap((pathOf) => SLOTS.map((slot) => pathOf(id, slot))),
  ]
  const failures: unknown[] = []
  for (const path of paths) await store.remove(path).catch((error: unknown) => failures.push(error))
  const peaks = peaksPathOf(store.folder, id)
  if (existsSync(peaks)) await removeDurably(peaks).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  await database.run((orm) => noteErased(orm, id))
}
