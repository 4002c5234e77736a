import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { entryIdIn, entryNotFound, entryParams, oneEntry } from './entry.ts'
import { wireEntry } from './schema.ts'

export const getEntryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'GET',
      path: '/dictionary/{id}',
      operationId: 'getDictionaryEntry',
      summary: 'Get one entry',
      description: 'Includes how often the entry was used.',
      tag: 'dictionary',
      params: entryParams,
      responses: { 200: { description: 'The entry', content: oneEntry } },
      problems: ['dictionary_entry_not_found'],
    },
    (_request, { params }) => {
      const entry = dictionary.get(entryIdIn(params))
      return entry === null ? problemResponse(entryNotFound(params.id)) : Response.json(wireEntry(entry))
    },
  )
