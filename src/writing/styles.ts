// The writing styles, in memory and in the library: names are unique, and exactly one style is the default.

import { writingStyleTable } from '../../db/library.ts'
import type { WritingStyleRow } from '../../db/writing-schema.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import type { LibraryPart } from '../library/copy.ts'
import type { Change } from '../library/library.ts'
import { openShelf, type ShelfChange, type ShelfDeps } from '../library/shelf.ts'
import { foldedName } from '../text/fold.ts'
import { builtinStyle, reconcileStyles } from './builtin-styles.ts'
import { matchStyle, type StyleContext, type StyleMatch } from './match-style.ts'
import { PLAIN_CONTENT, type StyleContent, StyleSchema, type WritingStyle } from './style.ts'

export const WRITING_STYLES: LibraryPart<WritingStyle, WritingStyleRow> = {
  key: 'writingStyles',
  earlierFile: 'writing-styles.json',
  schema: StyleSchema,
  table: writingStyleTable,
  toStored: (style) => ({ ...style, foldedName: foldedName(style.name) }),
  fromStored: ({ foldedName: _folded, ...style }) => style,
  settle: reconcileStyles,
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
  /** built-in styles first, then in order of creation */
  list(): readonly WritingStyle[]
  get(id: string): WritingStyle | null
  default(): WritingStyle
  match(context: StyleContext): StyleMatch
  /** the failure if another style has this name, else null; `ownId` is the style that is renamed */
  nameConflict(name: string, ownId: string | null): StyleFailure | null
  create(content: Partial<StyleContent> & { name: string }): Changed
  change(id: string, patch: Partial<StyleContent>): Changed
  /** Deletes a custom style that is not the default. */
  remove(id: string): Changed
  /** Restores a built-in style as it was shipped; the default stays the default. */
  reset(id: string): Changed
  /** Also enables the style. */
  setDefault(id: string): Changed
  /** The change that makes it the default, as part of another change. Call it while the library is locked. */
  becomingDefault(id: string): Result<Change | null, StyleFailure>
  /** Counts in memory and stores the count within seconds; no text waits for it. */
  noteUse(id: string): void
  /** stores the remaining counts */
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

  /** Changes or removes one style; `others` maps the remaining styles. */
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

  // A new version may add a built-in style.
  const reconciled = () => reconcileStyles(all(), clock())
  if (!Bun.deepEquals(reconciled(), all())) await shelf.change(() => become(reconciled(), null))
  return {
    list: all,
    get: find,
    default: () => all().find(({ isDefault }) => isDefault)!,
    match: (context) => matchStyle(all(), context),
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
  const message = `The writing style "${other.name}" already has this name.`
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
  message: 'Only a built-in writing style can be reset; this one is custom.',
}
const DEFAULT_STAYS: StyleFailure = {
  code: 'style_is_default',
  message: 'The default writing style cannot be deleted. Make another one the default first.',
}
const DEFAULT_STAYS_ON: StyleFailure = {
  code: 'style_is_default',
  message: 'The default writing style cannot be disabled. Make another one the default first.',
}
