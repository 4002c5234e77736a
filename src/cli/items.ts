// Lists of items of the API, and the item that a user means by the end of its id, by its name, or by @last.

import type { ServerClient } from './connection/server-client.ts'
import { EXIT } from './terminal/exit.ts'
import { CommandFailure, UsageError } from './terminal/failure.ts'
import { type Cell, rowsText } from './terminal/rows.ts'
import type { Tools } from './tools.ts'

export const LAST = '@last'

/** Fewer characters would match by accident. */
const TAIL = /^[\da-f-]{4,36}$/i
const WHOLE = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export const isTail = (text: string): boolean => TAIL.test(text)
export const isWholeId = (text: string): boolean => WHOLE.test(text)

/** The list of one kind of item, such as `/jobs`. */
export type ItemKind<Item> = {
  path: string
  /** "job", for sentences */
  noun: string
  code: string
  /** the command that lists them */
  lists: string
  /** another way to name an item */
  isNamed?: (item: Item, name: string) => boolean
}

export type ItemPage<Item> = { items: Item[]; total: number }

const MAX_PAGE = 200

/** The first items of a list, from as many pages as needed. @param count Infinity: all */
export async function firstItems<Item>(
  server: ServerClient,
  path: string,
  { query = new URLSearchParams(), count = Infinity }: { query?: URLSearchParams; count?: number } = {},
): Promise<ItemPage<Item>> {
  const items: Item[] = []
  for (;;) {
    const page = new URLSearchParams(query)
    page.set('limit', String(Math.min(count - items.length, MAX_PAGE)))
    page.set('offset', String(items.length))
    const { items: more, total } = await server.request<ItemPage<Item>>('GET', `${path}?${page}`)
    items.push(...more)
    if (more.length === 0 || items.length >= Math.min(count, total)) return { items, total }
  }
}

/** Prints a list: a line for each item, or one JSON document. @param none the sentence for an empty list */
export function answerItems<Item>(
  { report, isJson }: Pick<Tools, 'report' | 'isJson'>,
  page: ItemPage<Item>,
  { rowOf, none }: { rowOf: (item: Item) => Cell[]; none: string },
): number {
  if (isJson) report.answer(page, () => '')
  else if (page.items.length > 0) report.result(`${rowsText(page.items.map(rowOf))}\n`)
  if (page.total === 0) report.note(none)
  return EXIT.done
}

/** @throws CommandFailure if no item, or more than one, is meant */
export async function findItem<Item extends { id: string }>(
  server: ServerClient,
  kind: ItemKind<Item>,
  name: string,
): Promise<Item> {
  const { path, isNamed = () => false } = kind
  const tail = name.toLowerCase()
  if (isWholeId(tail)) return server.request<Item>('GET', `${path}/${tail}`)
  const { items } = await firstItems<Item>(server, path, { count: name === LAST ? 1 : Infinity })
  if (name === LAST) return theOnly(items, name, kind)
  const named = items.filter((item) => isNamed(item, name))
  const isEnd = (item: Item) => isTail(tail) && item.id.endsWith(tail)
  return theOnly(named.length > 0 ? named : items.filter(isEnd), name, kind)
}

/** @throws CommandFailure unless there is exactly one */
export function theOnly<Item>(
  found: readonly Item[],
  name: string,
  { noun, code, lists }: Pick<ItemKind<Item>, 'noun' | 'code' | 'lists'>,
): Item {
  const hint = `"${lists}" lists them; at least four characters from the end of an id name it.`
  if (found.length > 1) throw new UsageError(`${name} means several ${plural(noun)}.`, hint)
  const [item] = found
  if (item !== undefined) return item
  throw new CommandFailure(name === LAST ? `There is no ${noun}.` : `There is no ${noun} ${name}.`, {
    code,
    exitCode: EXIT.notFound,
    hint,
  })
}

const plural = (noun: string): string => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`)

/** "1 capture", "3 entries" */
export const quantity = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : plural(noun)}`
