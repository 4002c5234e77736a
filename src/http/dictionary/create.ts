import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { oneEntry, resolveEntry, STORE_PROBLEMS } from './entry.ts'
import { checkEntryBody, entryContent, NewEntrySchema, problemOfEntry, wireEntry } from './schema.ts'

export const createEntryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'POST',
      path: '/dictionary',
      operationId: 'createDictionaryEntry',
      summary: 'Add an entry',
      description:
        'The entry applies from the next transcription. It is stored durably before the response is sent.',
      tag: 'dictionary',
      body: {
        kind: 'json',
        schema: NewEntrySchema,
        example: { type: 'replacement', word: 'git hub', replacement: 'GitHub' },
        validate: checkEntryBody,
      },
      resolve: resolveEntry(dictionary, { isPatch: false }),
      responses: {
        201: { description: 'The new entry', headers: { Location: 'URL of the entry' }, content: oneEntry },
      },
      problems: ['dictionary_entry_exists', ...STORE_PROBLEMS],
    },
    async (_request, { body }) => {
      const created = await dictionary.create(entryContent(body), body.source)
      if (!created.ok) return problemResponse(problemOfEntry(created.failure))
      const location = `/dictionary/${created.value.id}`
      return Response.json(wireEntry(created.value), { status: 201, headers: { location } })
    },
  )
