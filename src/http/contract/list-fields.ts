// The ways in which programs send a list in a form or a query: `name`, `name[]` or `name[0]`, once for each item, or one
// text that holds them all: JSON, or with commas where it is the only one of a bare name. The schema has one of these names.

import type { TObject } from '@sinclair/typebox'

/** The property that a name means; the name itself where it means none. */
export function propertyNamed({ properties }: TObject, name: string): string {
  if (Object.hasOwn(properties, name)) return name
  const base = name.replace(/\[\d{0,5}\]$/, '')
  const isList = (one: string) => Object.hasOwn(properties, one) && properties[one]!.type === 'array'
  return [base, `${base}[]`].find(isList) ?? name
}

/** The names whose commas part items: `keywords[]=Smith, John` is one item, as each of several is. */
export function namesWithCommas(names: readonly string[]): Set<string> {
  const given = Map.groupBy(names, (name) => name)
  return new Set([...given].flatMap(([name, all]) => (all.length > 1 || name.endsWith(']') ? [] : [name])))
}

/** The items of `word,segment` and of `["word","segment"]`; a text without any is an item itself, to be refused. */
export function itemsIn(text: string, { commas }: { commas: boolean }): string[] {
  const items = (jsonItemsIn(text) ?? (commas ? text.split(',') : [text]))
    .map((item) => item.trim())
    .filter((item) => item !== '')
  return items.length === 0 ? [text] : items
}

function jsonItemsIn(text: string): string[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    const items: unknown = JSON.parse(text)
    return Array.isArray(items) && items.every((item) => typeof item === 'string') ? items : null
  } catch {
    return null
  }
}
