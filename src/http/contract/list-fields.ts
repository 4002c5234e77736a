// Lists in a form or a query. Clients send `name`, `name[]` or `name[0]` once for each item, or one text with all items:
// JSON, or comma-separated if it is the only value of a bare name. The schema has one of these names.

import type { TObject } from '@sinclair/typebox'

/** The property that a name refers to; the name itself if there is none. */
export function propertyNamed({ properties }: TObject, name: string): string {
  if (Object.hasOwn(properties, name)) return name
  const base = name.replace(/\[\d{0,5}\]$/, '')
  const isList = (one: string) => Object.hasOwn(properties, one) && properties[one]!.type === 'array'
  return [base, `${base}[]`].find(isList) ?? name
}

/** The names whose commas separate items. `keywords[]=Smith, John` is one item, and so is each of several values. */
export function namesWithCommas(names: readonly string[]): Set<string> {
  const given = Map.groupBy(names, (name) => name)
  return new Set([...given].flatMap(([name, all]) => (all.length > 1 || name.endsWith(']') ? [] : [name])))
}

/** The items of `word,segment` and of `["word","segment"]`; a text without items is itself an item, which the schema rejects. */
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
