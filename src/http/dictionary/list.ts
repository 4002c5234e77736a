import { Type } from '@sinclair/typebox'
import { oneOf } from '../../lib/schema.ts'
import { inSlices, type Sliced } from '../../lib/time-slice.ts'
import { ENTRY_TYPES, type Entry } from '../../text/dictionary/entry.ts'
import { fold } from '../../text/fold.ts'
import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { defineRoute } from '../contract/route.ts'
import { flag, listOf, pageQuery, strictObject, text } from '../contract/schema.ts'
import { language } from '../fields/language.ts'
import { DictionaryEntrySchema, entryExample, wireEntry } from './schema.ts'

export const listDictionaryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'GET',
      path: '/dictionary',
      operationId: 'listDictionary',
      summary: 'List dictionary entries',
      description: 'Newest first.',
      tag: 'dictionary',
      query: strictObject({
        q: Type.Optional(
          text({
            description: 'text in the word, the aliases or the replacement; case and accents are ignored',
            maxLength: 500,
          }),
        ),
        type: Type.Optional(oneOf(ENTRY_TYPES)),
        enabled: Type.Optional(flag({})),
        language: Type.Optional(language('only entries for this language')),
        ...pageQuery,
      }),
      responses: {
        200: {
          description: 'One page of entries',
          content: {
            'application/json': {
              schema: listOf(DictionaryEntrySchema, { $id: 'DictionaryEntryList' }),
              example: { items: [entryExample], total: 1 },
            },
          },
        },
      },
    },
    async (_request, { query }) => {
      const { q = '', type, enabled, language, limit = 50, offset = 0 } = query
      const wanted = fold(q).trim()
      const found = await inSlices(
        newestFirst(
          dictionary.list(),
          (entry) =>
            (type === undefined || entry.type === type) &&
            (enabled === undefined || entry.enabled === enabled) &&
            (language === undefined || entry.language === language) &&
            (wanted === '' || contains(entry, wanted)),
        ),
      )
      const items = found.slice(offset, offset + limit).map(wireEntry)
      return Response.json({ items, total: found.length })
    },
  )

function* newestFirst(entries: readonly Entry[], isWanted: (entry: Entry) => boolean): Sliced<Entry[]> {
  const found: Entry[] = []
  for (const entry of entries) {
    if (isWanted(entry)) found.push(entry)
    yield
  }
  return found.reverse()
}

const contains = ({ word, aliases, replacement }: Entry, wanted: string): boolean =>
  [word, ...aliases, replacement ?? ''].some((part) => fold(part).includes(wanted))
