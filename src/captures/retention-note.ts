// The file in which retention remembers, from one start to the next, what time it was and what it has announced.
// What follows from it is retention-keeper.ts.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { writeFileDurably } from '../lib/durable.ts'
import type { RetentionSettings } from './retention.ts'

export const RETENTION_FILE = 'retention.json'

const count = Type.Integer({ minimum: 0 })
const maybeCount = Type.Union([count, Type.Null()])
const time = Type.Integer()

const Stored = Type.Object({
  /** the time when retention was last thought about with a clock that went steadily, in milliseconds since 1970 */
  seenAt: time,
  announced: Type.Union([
    Type.Null(),
    Type.Object({
      at: time,
      why: Type.Union([Type.Literal('many'), Type.Literal('clock')]),
      captures: count,
      audio: count,
      limits: Type.Object({
        trashDays: count,
        retentionDays: maybeCount,
        audioRetentionDays: maybeCount,
        maxCaptures: maybeCount,
      }),
    }),
  ]),
})

export type RetentionNote = Static<typeof Stored>

/** What is going to be removed, and by which limits. */
export type RetentionAnnouncement = NonNullable<RetentionNote['announced']> & { limits: RetentionSettings }

/** Null where there is none that can be read: then nothing was announced. */
export async function readNote(dataFolder: string): Promise<RetentionNote | null> {
  try {
    const value: unknown = JSON.parse(await readFile(join(dataFolder, RETENTION_FILE), 'utf8'))
    return Value.Check(Stored, value) ? value : null
  } catch {
    return null
  }
}

export const writeNote = (dataFolder: string, note: RetentionNote): Promise<void> =>
  writeFileDurably(join(dataFolder, RETENTION_FILE), `${JSON.stringify(note)}\n`)
