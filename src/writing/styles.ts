// Creates, changes, deletes and chooses writing styles: no two have the same name, and one is the default.
// Which style a text gets is match-style.ts.

import { writingStyleTable } from '../../db/library.ts'
import type { WritingStyleRow } from '../../db/writing-schema.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import type { Change } from '../library/library.ts'
import type { LibraryPart } from '../library/part.ts'
import { openShelf, type ShelfChange, type ShelfDeps } from '../library/shelf.ts'
import { foldedName } from '../text/fold.ts'
import { builtinStyle } from './builtin-styles.ts'
import { matchStyle, type StyleMatch, type StylePlace } from './match-style.ts'
import { settleStyles } from './settle-styles.ts'
import { PLAIN_CONTENT, type StyleContent, StyleSchema, type WritingStyle } from './style.ts'

export const WRITING_STYLES: LibraryPart<WritingStyle, WritingStyleRow> = {
  key: 'writingStyles',
  earlierFile: 'writing-styles.json',
  schema: StyleSchema,
  table: writingStyleTable,
  toStored: (style) => ({ ...style, foldedName: foldedName(style.name) }),
  fromStored: ({ foldedName: _folded, ...style }) => style,
  settle: settleStyles,
}

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
  /** why a style cannot be called so; null where it can. `ownId` is of the style that is to get the name */
  nameConflict(name: string, ownId: string | null): StyleFailure | null
  create(content: Partial<StyleContent> & { name: string }): Changed
  change(id: string, patch: Partial<StyleContent>): Changed
  /** Only a style that a person made, and not the default. */
  remove(id: string): Changed
  /** A built-in style as it was shipped; it stays the default if it is. */
  reset(id: string): Changed
  /** The style is enabled, too. */
  setDefault(id: string): Changed
  /** The change that makes it the default, as part of another; to be called within the library's turn. */
  becomingDefault(id: string): Result<Change | null, StyleFailure>
  /** Counts soon, and no text waits for it. */
  noteUse(id: string): void
  /** stores the counts that are left */
  close(): Promise<void>
}

type StyleChange = ShelfChange<WritingStyle, Awaited<Changed>>

export async function openWritingStyles(deps: ShelfDeps): Promise<WritingStyles> {
  const { clock } = deps
  const shelf = await openShelf(WRITING_STYLES, deps)
  const all = () => [...shelf.rows().values()]
  const find = (id: string) => shelf.rows().get(id.toLowerCase()) ?? null

  const become = <T>(styles: readonly WritingStyle[], answer: T): ShelfChange<WritingStyle, T> => ({
    next: new Map(styles.map((style) => [style.id, style])),
    answer,
  })

  /** One style becomes another, or is removed; `others` is what that makes of the rest. */
  function changed(
    id: string,
    change: (style: WritingStyle) => Result<WritingStyle | null, StyleFailure>,
    others: (style: WritingStyle) => WritingStyle = (style) => style,
  ): StyleChange {
    const style = find(id)
    if (style === null) return { next: null, answer: fail(notFound(id)) }
    const result = change(style)
    if (!result.ok) return { next: null, answer: result }
    const next = all().flatMap((one) => (one === style ? (result.value ?? []) : others(one)))
    return become(next, succeed(result.value ?? style))
  }

  const withContent = (style: WritingStyle, content: Partial<StyleContent>) => {
    const taken = nameTaken(all(), content.name ?? style.name, style.id)
    return taken ?? succeed({ ...style, ...content, updatedAt: clock() })
  }

  const chosen = (id: string): StyleChange =>
    changed(
      id,
      (style) => succeed(style.isDefault ? style : { ...style, isDefault: true, enabled: true }),
      (other) => (other.isDefault ? { ...other, isDefault: false } : other),
    )

  function created(content: Partial<StyleContent> & { name: string }): StyleChange {
    const taken = nameTaken(all(), content.name, null)
    if (taken !== null) return { next: null, answer: taken }
    const now = clock()
    const style: WritingStyle = {
      id: newId(now),
      kind: 'custom',
      ...PLAIN_CONTENT,
      ...content,
      isDefault: false,
      usageCount: 0,
      lastUsedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    return become([...all(), style], succeed(style))
  }

  // A new version may bring another built-in style.
  const settled = settleStyles(all(), clock())
  if (!Bun.deepEquals(settled, all())) await shelf.change(() => become(settled, null))
  return {
    list: all,
    get: find,
    default: () => all().find(({ isDefault }) => isDefault)!,
    match: (place) => matchStyle(all(), place),
    nameConflict: (name, ownId) => nameTaken(all(), name, ownId?.toLowerCase() ?? null)?.failure ?? null,
    create: (content) => shelf.change(() => created(content)),
    change: (id, patch) =>
      shelf.change(() =>
        changed(id, (style) =>
          style.isDefault && patch.enabled === false ? fail(DEFAULT_STAYS_ON) : withContent(style, patch),
        ),
      ),
    remove: (id) =>
      shelf.change(() =>
        changed(id, ({ kind, isDefault }) => {
          if (kind === 'builtin') return fail(BUILT_IN_STAYS)
          return isDefault ? fail(DEFAULT_STAYS) : succeed(null)
        }),
      ),
    reset: (id) =>
      shelf.change(() =>
        changed(id, (style) => {
          const shipped = builtinStyle(style.id)
          return shipped === null ? fail(NOTHING_TO_RESET) : withContent(style, shipped)
        }),
      ),
    setDefault: (id) => shelf.change(() => chosen(id)),
    becomingDefault(id) {
      const { next, answer } = chosen(id)
      return answer.ok ? succeed(next && shelf.changeTo(next)) : answer
    },
    noteUse: (id) => shelf.noteUses([{ id, count: 1 }]),
    close: shelf.close,
  }
}

function nameTaken(styles: readonly WritingStyle[], name: string, ownId: string | null) {
  const folded = foldedName(name)
  const other = styles.find((style) => style.id !== ownId && foldedName(style.name) === folded)
  if (other === undefined) return null
  const message = `The writing style "${other.name}" has this name already.`
  return fail<StyleFailure>({ code: 'writing_style_exists', message, conflictingId: other.id })
}

const notFound = (id: string): StyleFailure => ({
  code: 'writing_style_not_found',
  message: `There is no writing style ${id}.`,
})

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
