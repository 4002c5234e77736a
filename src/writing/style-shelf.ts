// Where the writing styles lie: in memory, in the database, and in a file that survives a power cut; all three agree.
// What may be changed, and how, is styles.ts.

import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import {
  listWritingStyles,
  replaceWritingStyles,
  saveStyleUses,
  saveWritingStyles,
} from '../../db/writing-styles.ts'
import type { Clock } from '../lib/clock.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import { commitMirrored, createMirror } from './mirror.ts'
import { settleStyles, styleRow, withUses } from './settle-styles.ts'
import { StyleSchema, styleOf, type WritingStyle } from './style.ts'
import { createUseCounts } from './use-counts.ts'

export const WRITING_STYLES_FILE = 'writing-styles.json'

export type StyleShelfDeps = { database: Database; dataFolder: string; clock: Clock; log: Log }

export type StyleShelf = {
  all(): readonly WritingStyle[]
  /** Runs `work` alone. What it gives as `next` is kept durably; null keeps everything as it is. */
  change<T>(work: () => { next: WritingStyle[] | null; answer: T }): Promise<T>
  noteUse(id: string): void
  /** writes the counts that are not written yet */
  close(): Promise<void>
}

/** The file wins over the table: a power cut may have taken back what the database held. */
export async function openStyleShelf({
  database,
  dataFolder,
  clock,
  log,
}: StyleShelfDeps): Promise<StyleShelf> {
  const path = join(dataFolder, WRITING_STYLES_FILE)
  const mirror = createMirror({ path, schema: StyleSchema, log, clock })
  const inTurn = createKeyedLock()
  const mirrored = await mirror.read()
  const stored = (await database.run(listWritingStyles)).map(styleOf)
  let styles = settleStyles(mirrored, stored, clock())
  if (!Bun.deepEquals(styles, mirrored)) await mirror.write(styles)
  if (!Bun.deepEquals(styles, stored))
    await database.transaction((tx) => replaceWritingStyles(tx, styles.map(styleRow)))

  const counts = createUseCounts({
    log,
    write: (ids) =>
      inTurn('styles', () =>
        database.run((orm) =>
          saveStyleUses(
            orm,
            styles.filter(({ id }) => ids.includes(id)),
          ),
        ),
      ),
  })

  async function save(next: WritingStyle[]): Promise<void> {
    const before = styles
    const changed = next.filter((style) => !before.includes(style)).map(styleRow)
    await commitMirrored({ database, mirror }, { before, next }, (tx) =>
      saveWritingStyles(tx, { changed, ids: next.map(({ id }) => id) }),
    )
    // Uses may have been counted meanwhile.
    styles = next.map((style) => withUses(style, styles))
  }

  return {
    all: () => styles,
    change: (work) =>
      inTurn('styles', async () => {
        const { next, answer } = work()
        if (next !== null) await save(next)
        return answer
      }),
    noteUse(id) {
      const lastUsedAt = clock()
      styles = styles.map((style) =>
        style.id === id ? { ...style, usageCount: style.usageCount + 1, lastUsedAt } : style,
      )
      counts.note([id])
    },
    close: () => counts.flush(),
  }
}
