// The writing styles as they must be when the server starts, whatever the file and the table say.
// Reads and writes neither; styles.ts does.

import type { WritingStyleRow } from '../../db/writing-schema.ts'
import { foldedName } from '../text/fold.ts'
import { BUILTIN_STYLES } from './builtin-styles.ts'
import type { WritingStyle } from './style.ts'

export const styleRow = (style: WritingStyle): WritingStyleRow => ({
  ...style,
  foldedName: foldedName(style.name),
})

/**
 * The styles of the file, or of the table where there is no file: with every built-in, no id or name twice, and
 * exactly one default. Counts of use are the larger of the two.
 */
export function settleStyles(
  mirrored: readonly WritingStyle[] | null,
  stored: readonly WritingStyle[],
  now: Date,
): WritingStyle[] {
  const known = (mirrored ?? stored).map((style) => withUses(style, stored))
  const builtins = BUILTIN_STYLES.map(
    (builtin): WritingStyle =>
      known.find(({ id }) => id === builtin.id) ?? {
        ...builtin,
        kind: 'builtin',
        isDefault: false,
        usageCount: 0,
        lastUsedAt: null,
        createdAt: now,
        updatedAt: now,
      },
  ).map((style): WritingStyle => ({ ...style, kind: 'builtin' }))
  const custom = known
    .filter(({ id }) => !BUILTIN_STYLES.some((builtin) => builtin.id === id))
    .map((style): WritingStyle => ({ ...style, kind: 'custom' }))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  return withOneDefault(withOwnNames(withOwnIds([...builtins, ...custom])))
}

/** With the larger count of the two. */
export function withUses(style: WritingStyle, others: readonly WritingStyle[]): WritingStyle {
  const row = others.find(({ id }) => id === style.id)
  if (row === undefined || row.usageCount <= style.usageCount) return style
  return { ...style, usageCount: row.usageCount, lastUsedAt: row.lastUsedAt }
}

const withOwnIds = (styles: WritingStyle[]): WritingStyle[] =>
  styles.filter(({ id }, at) => styles.findIndex((style) => style.id === id) === at)

/** Somebody may have copied a style in the file by hand. */
function withOwnNames(styles: WritingStyle[]): WritingStyle[] {
  const taken = new Set<string>()
  return styles.map((style) => {
    let name = style.name
    for (let number = 2; taken.has(foldedName(name)); number++) name = `${style.name} (${number})`
    taken.add(foldedName(name))
    return name === style.name ? style : { ...style, name }
  })
}

function withOneDefault(styles: WritingStyle[]): WritingStyle[] {
  const chosen = styles.find(({ isDefault, enabled }) => isDefault && enabled) ?? styles[0]
  return styles.map((style) =>
    style === chosen
      ? { ...style, isDefault: true, enabled: true }
      : style.isDefault
        ? { ...style, isDefault: false }
        : style,
  )
}
