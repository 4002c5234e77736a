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
import { checkEntryBody, EntryReplacementSchema, entryContent } from './schema.ts'

export const replaceEntryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'PUT',
      path: '/dictionary/{id}',
      operationId: 'replaceDictionaryEntry',
      summary: 'Replace an entry',
      description: `Omitted fields get the defaults of a new entry. Source and usage count are kept. ${READ_ONLY_NOTE}`,
      tag: 'dictionary',
      params: entryParams,
      body: {
        kind: 'json',
        schema: EntryReplacementSchema,
        example: { type: 'term', word: 'Kubernetes', aliases: ['cooper netties'] },
        validate: checkEntryBody,
      },
      resolve: resolveEntry(dictionary, { isPatch: false }),
      responses: { 200: { description: 'The entry after the change', content: oneEntry } },
      problems: [...ENTRY_CHANGE_PROBLEMS, 'dictionary_entry_exists'],
    },
    async (_request, { params, body }) =>
      changedEntryResponse(await dictionary.change(entryIdIn(params), entryContent(body))),
  )
