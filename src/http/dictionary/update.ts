import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { READ_ONLY_NOTE } from '../contract/read-only.ts'
import { defineRoute } from '../contract/route.ts'
import {
  changedEntryResponse,
  ENTRY_CHANGE_PROBLEMS,
  entryIdIn,
  entryParams,
  oneEntry,
  resolveEntry,
} from './entry.ts'
import { EntryPatchSchema, patchOf } from './schema.ts'

export const updateEntryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'PATCH',
      path: '/dictionary/{id}',
      operationId: 'updateDictionaryEntry',
      summary: 'Change an entry',
      description: `Changes only the given fields. ${READ_ONLY_NOTE}`,
      tag: 'dictionary',
      params: entryParams,
      body: { kind: 'json', schema: EntryPatchSchema, example: { enabled: false } },
      resolve: resolveEntry(dictionary, { isPatch: true }),
      responses: { 200: { description: 'The entry after the change', content: oneEntry } },
      problems: [...ENTRY_CHANGE_PROBLEMS, 'dictionary_entry_exists'],
    },
    async (_request, { params, body }) =>
      changedEntryResponse(await dictionary.change(entryIdIn(params), patchOf(body))),
  )
