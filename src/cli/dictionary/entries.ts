import type { Static } from '@sinclair/typebox'
import type { DictionaryEntrySchema } from '../../http/dictionary/schema.ts'
import type { Given } from '../command.ts'
import { answerItems, findItem, firstItems, quantity } from '../items.ts'
import { confirm } from '../terminal/confirm.ts'
import { each } from '../terminal/each.ts'
import { EXIT } from '../terminal/exit.ts'
import { type Cell, idCell, rowsText } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'

export type WireEntry = Static<typeof DictionaryEntrySchema>

const ENTRIES = {
  path: '/dictionary',
  noun: 'entry',
  code: 'dictionary_entry_not_found',
  lists: 'dictation dictionary ls',
  isNamed: ({ word }: WireEntry, name: string) => word.toLowerCase() === name.toLowerCase(),
}

export async function listEntriesCommand(
  tools: Tools,
  { args, options }: Given<{ type?: string }>,
): Promise<number> {
  const query = new URLSearchParams({
    ...(args[0] !== undefined && { q: args[0] }),
    ...(options.type !== undefined && { type: options.type }),
  })
  const found = await firstItems<WireEntry>(tools.server, '/dictionary', { query })
  return answerItems(tools, found, { rowOf, none: 'No entries match.' })
}

const rowOf = (entry: WireEntry): Cell[] => [
  idCell(entry.id),
  entry.enabled ? entry.type : { shown: `${entry.type} (off)`, piped: entry.type },
  entry.word,
  { shown: entry.replacement === null ? '' : `→ ${entry.replacement}`, piped: entry.replacement ?? '' },
  entry.aliases.join(' | '),
  entry.language ?? '',
  String(entry.usage_count),
]

type NewEntry = {
  alias?: string[]
  type?: string
  language?: string
  'case-sensitive'?: boolean
  regex?: boolean
}

export async function addEntryCommand(
  { server, report }: Tools,
  { args, options }: Given<NewEntry>,
): Promise<number> {
  const [word, replacement] = args
  const { alias: aliases, type, language, 'case-sensitive': isCaseSensitive, regex: isRegex } = options
  const json = {
    word,
    ...(replacement !== undefined && { replacement }),
    ...(aliases !== undefined && { aliases }),
    ...(type !== undefined && { type }),
    ...(language !== undefined && { language }),
    ...(isCaseSensitive && { case_sensitive: true }),
    ...(isRegex && { is_regex: true }),
  }
  const entry = await server.request<WireEntry>('POST', '/dictionary', { json })
  report.answer(entry, () => rowsText([rowOf(entry)]))
  return EXIT.done
}

export async function removeEntriesCommand(
  tools: Tools,
  { args, options }: Given<{ yes?: boolean }>,
): Promise<number> {
  const entries: WireEntry[] = []
  for (const name of args) entries.push(await findItem(tools.server, ENTRIES, name))
  const words = entries.map(({ word }) => `"${word}"`).join(', ')
  if (!(await confirm(`Delete ${words} from the dictionary?`, options.yes === true))) return EXIT.failed
  const ids = [...new Set(entries.map(({ id }) => id))]
  return each(tools, ids, {
    act: (id) => tools.server.request('DELETE', `/dictionary/${id}`),
    done: (count) => `Deleted ${quantity(count, 'entry')}.`,
  })
}
