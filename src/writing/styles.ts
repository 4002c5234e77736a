// Keeps the writing styles: in memory to choose from, in the database, and in a file that survives a power cut.
// What they look like after a start is settle-styles.ts; choosing one is match-style.ts.

import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import {
  listWritingStyles,
  noteStyleUse,
  replaceWritingStyles,
  saveWritingStyles,
} from '../../db/writing-styles.ts'
import type { Clock } from '../lib/clock.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import { builtinStyle } from './builtin-styles.ts'
import { matchStyle, type StyleMatch, type StylePlace } from './match-style.ts'
import { createMirror } from './mirror.ts'
import { foldedName, rowOf, settleStyles } from './settle-styles.ts'
import { MirroredStyleSchema, PLAIN_CONTENT, type StyleContent, styleOf, type WritingStyle } from './style.ts'

export const WRITING_STYLES_FILE = 'writing-styles.json'

export type StyleFailure = {
  code:
    | 'writing_style_not_found'
    | 'writing_style_exists'
    | 'style_is_built_in'
    | 'style_is_custom'
    | 'style_is_default'
  message: string
  conflictingId?: string
}

type Changed = Promise<Result<WritingStyle, StyleFailure>>

export type WritingStyles = {
  /** built-in ones first, then in the order they were made */
  list(): readonly WritingStyle[]
  get(id: string): WritingStyle | null
  default(): WritingStyle
  match(place: StylePlace): StyleMatch
  create(content: Partial<StyleContent> & { name: string }): Changed
  change(id: string, patch: Partial<StyleContent>): Changed
  /** Only a style that a person made, and not the default. */
  remove(id: string): Changed
  /** A built-in style as it was shipped; it stays the default if it is. */
  reset(id: string): Changed
  /** The style is enabled, too. */
  setDefault(id: string): Changed
  /** Resolves when it is counted; a count that fails is logged and lost. */
  noteUse(id: string): Promise<void>
}

type StyleDeps = { database: Database; dataFolder: string; clock: Clock; log: Log }

/** The file wins over the table: a power cut may have taken back what the database held. */
export async function openWritingStyles({
  database,
  dataFolder,
  clock,
  log,
}: StyleDeps): Promise<WritingStyles> {
  const path = join(dataFolder, WRITING_STYLES_FILE)
  const mirror = createMirror({ path, schema: MirroredStyleSchema, log, clock })
  const inTurn = createKeyedLock()
  const mirrored = await mirror.read()
  const stored = (await database.run(listWritingStyles)).map(styleOf)
  let styles = settleStyles(mirrored, stored, clock())
  if (!Bun.deepEquals(styles, mirrored)) await mirror.write(styles)
  if (!Bun.deepEquals(styles, stored))
    await database.transaction((tx) => replaceWritingStyles(tx, styles.map(rowOf)))

  const find = (id: string) => styles.find((style) => style.id === id.toLowerCase()) ?? null

  /** Durable in the file before the database commits. A file whose commit failed is put back, as well as can be. */
  async function save(next: WritingStyle[]): Promise<void> {
    const before = styles
    const changed = next.filter((style) => !before.includes(style)).map(rowOf)
    try {
      await database.transaction(async (tx) => {
        await saveWritingStyles(tx, { changed, ids: next.map(({ id }) => id) })
        await mirror.write(next)
      })
    } catch (error) {
      await mirror.write(before).catch(() => {})
      throw error
    }
    styles = next
  }

  /** Changes one style, and with it what others must be. */
  const changing = (
    id: string,
    change: (style: WritingStyle) => Result<WritingStyle[], StyleFailure>,
  ): Changed =>
    inTurn('styles', async () => {
      const style = find(id)
      if (style === null)
        return fail({ code: 'writing_style_not_found', message: `There is no writing style ${id}.` })
      const next = change(style)
      if (!next.ok) return next
      await save(next.value)
      return succeed(find(id) ?? style)
    })

  const replaced = (id: string, content: Partial<WritingStyle>): Result<WritingStyle[], StyleFailure> => {
    const taken = content.name === undefined ? null : nameTaken(content.name, id)
    if (taken !== null) return fail(taken)
    const updatedAt = clock()
    return succeed(styles.map((style) => (style.id === id ? { ...style, ...content, updatedAt } : style)))
  }

  function nameTaken(name: string, ownId: string | null): StyleFailure | null {
    const folded = foldedName(name)
    const other = styles.find((style) => style.id !== ownId && foldedName(style.name) === folded)
    if (other === undefined) return null
    const message = `The writing style "${other.name}" has this name already.`
    return { code: 'writing_style_exists', message, conflictingId: other.id }
  }

  return {
    list: () => styles,
    get: find,
    default: () => styles.find(({ isDefault }) => isDefault)!,
    match: (place) => matchStyle(styles, place),
    create: (content) =>
      inTurn('styles', async () => {
        const taken = nameTaken(content.name, null)
        if (taken !== null) return fail(taken)
        const now = clock()
        const style: WritingStyle = {
          ...{ id: newId(now), kind: 'custom', ...PLAIN_CONTENT, ...content },
          ...{ isDefault: false, usageCount: 0, lastUsedAt: null, createdAt: now, updatedAt: now },
        }
        await save([...styles, style])
        return succeed(style)
      }),
    change: (id, patch) =>
      changing(id, (style) =>
        style.isDefault && patch.enabled === false ? fail(DEFAULT_STAYS_ON) : replaced(style.id, patch),
      ),
    remove: (id) =>
      changing(id, (style) => {
        if (style.kind === 'builtin') return fail(BUILT_IN_STAYS)
        if (style.isDefault) return fail(DEFAULT_STAYS)
        return succeed(styles.filter((one) => one !== style))
      }),
    reset: (id) =>
      changing(id, (style) => {
        const shipped = builtinStyle(style.id)
        return shipped === null ? fail(NOTHING_TO_RESET) : replaced(style.id, shipped)
      }),
    setDefault: (id) =>
      changing(id, (chosen) =>
        succeed(
          styles.map((style) => {
            if (style === chosen)
              return style.isDefault ? style : { ...style, isDefault: true, enabled: true }
            return style.isDefault ? { ...style, isDefault: false } : style
          }),
        ),
      ),
    noteUse: (id) =>
      inTurn('styles', async () => {
        const now = clock()
        try {
          await database.run((orm) => noteStyleUse(orm, id, now))
          styles = styles.map((style) =>
            style.id === id ? { ...style, usageCount: style.usageCount + 1, lastUsedAt: now } : style,
          )
        } catch (error) {
          log.warn({ styleId: id, reason: String(error) }, 'a use of a writing style was not counted')
        }
      }),
  }
}

const BUILT_IN_STAYS: StyleFailure = {
  code: 'style_is_built_in',
  message: 'A built-in writing style cannot be deleted; it can be disabled, changed and reset.',
}
const NOTHING_TO_RESET: StyleFailure = {
  code: 'style_is_custom',
  message: 'Only a built-in writing style can be reset; this one was never anything else.',
}
const DEFAULT_STAYS: StyleFailure = {
  code: 'style_is_default',
  message: 'The default writing style cannot be deleted; make another one the default first.',
}
const DEFAULT_STAYS_ON: StyleFailure = {
  code: 'style_is_default',
  message: 'The default writing style cannot be disabled; make another one the default first.',
}
