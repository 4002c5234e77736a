import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { messageContent } from '../contract/message.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { ENTRY_CHANGE_PROBLEMS, entryIdIn, entryParams } from './entry.ts'
import { entryExample, problemOfEntry } from './schema.ts'

export const deleteEntryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/dictionary/{id}',
      operationId: 'deleteDictionaryEntry',
      summary: 'Delete an entry',
      description: 'Texts that it has already changed stay unchanged.',
      tag: 'dictionary',
      params: entryParams,
      responses: {
        200: {
          description: 'The entry is deleted',
          content: messageContent(`Dictionary entry ${entryExample.id} deleted`),
        },
      },
      problems: ENTRY_CHANGE_PROBLEMS,
    },
    async (_request, { params }) => {
      const removed = await dictionary.remove(entryIdIn(params))
      if (!removed.ok) return problemResponse(problemOfEntry(removed.failure))
      return Response.json({ message: `Dictionary entry ${removed.value.id} deleted` })
    },
  )
