// Numbers the runs of commands, and keeps in a synced file up to which number they are forgotten: no clock and no older
// database brings one back. Knows nothing of the runs themselves, which stand in the database alone (history.ts).

import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { createMirror } from '../writing/mirror.ts'

export const RUN_NUMBERS_FILE = 'command-history.json'

export type RunNumbers = {
  /** larger than any that was given before, whatever database it went into */
  next(): Promise<number>
  /** durable when it resolves: every number that was given */
  forgetAll(): Promise<void>
  /** what gave way to newer ones; durable with the next block of numbers */
  noteTrimmed(upTo: number): void
  /** runs up to this number are no more */
  forgottenTo(): number
}

type Deps = { dataFolder: string; clock: Clock; log: Log }

/** One write for so many runs; and so many trimmed ones may come back with an older database. */
const BLOCK = 100

const count = Type.Integer({ minimum: 0 })
const MarkSchema = Type.Object({ given: count, forgotten: count })

/** `newest` is the largest number in the database, for where the file is lost. */
export async function openRunNumbers({ dataFolder, ...deps }: Deps, newest: number): Promise<RunNumbers> {
  const path = join(dataFolder, RUN_NUMBERS_FILE)
  const mirror = createMirror({ path, schema: MarkSchema, ...deps })
  const [kept] = (await mirror.read()) ?? []
  // What is left of the last block is not given any more: some of it may be in a database that is away.
  let given = Math.max(kept?.given ?? 0, newest)
  let reserved = given
  let forgotten = kept?.forgotten ?? 0
  let trimmed = forgotten

  async function write(mark: { given: number; forgotten: number }): Promise<void> {
    await mirror.write([mark])
    reserved = mark.given
    forgotten = mark.forgotten
  }

  return {
    async next() {
      if (given === reserved)
        await write({ given: reserved + BLOCK, forgotten: Math.max(forgotten, trimmed) })
      return ++given
    },
    forgetAll: () => write({ given: reserved, forgotten: given }),
    noteTrimmed(upTo) {
      trimmed = Math.max(trimmed, upTo)
    },
    forgottenTo: () => forgotten,
  }
}
