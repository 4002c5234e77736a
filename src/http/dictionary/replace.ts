// PUT /dictionary/{id}: an entry becomes another.
// Changing some of it is update.ts.

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
import { EntryReplacementSchema, entryContent, wrongIn } from './schema.ts'

export const replaceEntryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'PUT',
      path: '/dictionary/{id}',
      operationId: 'replaceDictionaryEntry',
      summary: 'Replace an entry',
      description: `What is left out becomes as in a new entry. Its source and its uses stay. ${READ_ONLY_NOTE}`,
      tag: 'dictionary',
      params: entryParams,
      body: {
        kind: 'json',
        schema: EntryReplacementSchema,
        example: { type: 'term', word: 'Kubernetes', aliases: ['cooper netties'] },
        validate: wrongIn,
      },
      resolve: resolveEntry(dictionary, { isPatch: false }),
      responses: { 200: { description: 'The entry after the change', content: oneEntry } },
      problems: [...ENTRY_CHANGE_PROBLEMS, 'dictionary_entry_exists'],
    },
    async (_request, { params, body }) =>
      changedEntryResponse(await dictionary.change(entryIdIn(params), entryContent(body))),
  )
