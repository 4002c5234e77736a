// Repairs a list of writing styles, whether read from a table or a file.

import { foldedName } from '../text/fold.ts'
import { BUILTIN_STYLES } from './builtin-styles.ts'
import type { WritingStyle } from './style.ts'

/** Puts all built-in styles first, removes duplicate ids and names, and leaves exactly one default, which is enabled. */
export function reconcileStyles(known: readonly WritingStyle[], now: Date): WritingStyle[] {
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

const withOwnIds = (styles: WritingStyle[]): WritingStyle[] =>
  styles.filter(({ id }, at) => styles.findIndex((style) => style.id === id) === at)

/** Makes names unique: a user may have copied a style in the file by hand. */
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
  return styles.map((style) => {
    if (style === chosen) return style.isDefault ? style : { ...style, isDefault: true, enabled: true }
    return style.isDefault ? { ...style, isDefault: false } : style
  })
}
