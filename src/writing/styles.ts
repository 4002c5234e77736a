// What can be done with writing styles: making, changing, choosing them; names are unlike and one is the default.
// Where they lie is style-shelf.ts; which one a text gets is match-style.ts.

import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import { foldedName } from '../text/fold.ts'
import { builtinStyle } from './builtin-styles.ts'
import { matchStyle, type StyleMatch, type StylePlace } from './match-style.ts'
import { PLAIN_CONTENT, type StyleContent, type WritingStyle } from './style.ts'
import { openStyleShelf, type StyleShelfDeps } from './style-shelf.ts'

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
  /** written soon, so that no text waits for it; a crash loses the counts of the last seconds */
  noteUse(id: string): void
  /** writes what is left of the counts */
  close(): Promise<void>
}

export async function openWritingStyles(deps: StyleShelfDeps): Promise<WritingStyles> {
  const { clock } = deps
  const shelf = await openStyleShelf(deps)
  const find = (id: string) => shelf.all().find((style) => style.id === id.toLowerCase()) ?? null

  /** One style becomes another, or none; `others` is what that makes of all the rest. */
  const changing = (
    id: string,
    change: (style: WritingStyle) => Result<WritingStyle | null, StyleFailure>,
    others: (style: WritingStyle) => WritingStyle = (style) => style,
  ): Changed =>
    shelf.change<Awaited<Changed>>(() => {
      const style = find(id)
      if (style === null) return { next: null, answer: fail(notFound(id)) }
      const changed = change(style)
      if (!changed.ok) return { next: null, answer: changed }
      const next = shelf.all().flatMap((one) => (one === style ? (changed.value ?? []) : others(one)))
      return { next, answer: succeed(changed.value ?? style) }
    })

  const withContent = (style: WritingStyle, content: Partial<StyleContent>) => {
    const taken = nameTaken(shelf.all(), content.name ?? style.name, style.id)
    return taken ?? succeed({ ...style, ...content, updatedAt: clock() })
  }

  return {
    list: shelf.all,
    get: find,
    default: () => shelf.all().find(({ isDefault }) => isDefault)!,
    match: (place) => matchStyle(shelf.all(), place),
    nameConflict: (name, ownId) =>
      nameTaken(shelf.all(), name, ownId?.toLowerCase() ?? null)?.failure ?? null,
    create: (content) =>
      shelf.change<Awaited<Changed>>(() => {
        const taken = nameTaken(shelf.all(), content.name, null)
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
        return { next: [...shelf.all(), style], answer: succeed(style) }
      }),
    change: (id, patch) =>
      changing(id, (style) =>
        style.isDefault && patch.enabled === false ? fail(DEFAULT_STAYS_ON) : withContent(style, patch),
      ),
    remove: (id) =>
      changing(id, ({ kind, isDefault }) => {
        if (kind === 'builtin') return fail(BUILT_IN_STAYS)
        return isDefault ? fail(DEFAULT_STAYS) : succeed(null)
      }),
    reset: (id) =>
      changing(id, (style) => {
        const shipped = builtinStyle(style.id)
        return shipped === null ? fail(NOTHING_TO_RESET) : withContent(style, shipped)
      }),
    setDefault: (id) =>
      changing(
        id,
        (style) => succeed(style.isDefault ? style : { ...style, isDefault: true, enabled: true }),
        (other) => (other.isDefault ? { ...other, isDefault: false } : other),
      ),
    noteUse: shelf.noteUse,
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
