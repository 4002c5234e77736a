import { Type } from '@sinclair/typebox'
import { oneOf } from '../../lib/schema.ts'
import { createPause } from '../../lib/time-slice.ts'
import { ENTRY_TYPES, type Entry } from '../../text/dictionary/entry.ts'
import { fold } from '../../text/fold.ts'
import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { language } from '../fields/fields.ts'
import { READ_ONLY_NOTE } from '../kernel/json-body.ts'
import { problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, messageContent, ok } from '../kernel/route.ts'
import { flag, listOf, pageQuery, strictObject, text } from '../kernel/schema.ts'
import {
  changedEntryResponse,
  checkEntryBody,
  DictionaryEntrySchema,
  ENTRY_CHANGE_PROBLEMS,
  EntryPatchSchema,
  EntryReplacementSchema,
  entryContent,
  entryExample,
  entryIdIn,
  entryNotFound,
  entryParams,
  NewEntrySchema,
  oneEntry,
  patchOf,
  problemOfEntry,
  resolveEntry,
  STORE_PROBLEMS,
  wireEntry,
} from './schema.ts'

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
      responses: ok(
        'One page of entries',
        jsonContent(listOf(DictionaryEntrySchema, { $id: 'DictionaryEntryList' }), {
          items: [entryExample],
          total: 1,
        }),
      ),
    },
    async (_request, { query }) => {
      const { q = '', type, enabled, language, limit = 50, offset = 0 } = query
      const wanted = fold(q).trim()
      const found = await newestFirst(
        dictionary.list(),
        (entry) =>
          (type === undefined || entry.type === type) &&
          (enabled === undefined || entry.enabled === enabled) &&
          (language === undefined || entry.language === language) &&
          (wanted === '' || contains(entry, wanted)),
      )
      const items = found.slice(offset, offset + limit).map(wireEntry)
      return Response.json({ items, total: found.length })
    },
  )

async function newestFirst(entries: readonly Entry[], isWanted: (entry: Entry) => boolean): Promise<Entry[]> {
  const pause = createPause()
  const found: Entry[] = []
  for (const entry of entries) {
    if (isWanted(entry)) found.push(entry)
    await pause()
  }
  return found.reverse()
}

const contains = ({ word, aliases, replacement }: Entry, wanted: string): boolean =>
  [word, ...aliases, replacement ?? ''].some((part) => fold(part).includes(wanted))

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
      responses: ok('The entry', oneEntry),
      problems: ['dictionary_entry_not_found'],
    },
    (_request, { params }) => {
      const entry = dictionary.get(entryIdIn(params))
      return entry === null ? problemResponse(entryNotFound(params.id)) : Response.json(wireEntry(entry))
    },
  )

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
      responses: ok('The entry after the change', oneEntry),
      problems: [...ENTRY_CHANGE_PROBLEMS, 'dictionary_entry_exists'],
    },
    async (_request, { params, body }) =>
      changedEntryResponse(await dictionary.change(entryIdIn(params), patchOf(body))),
  )

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
      responses: ok('The entry is deleted', messageContent(`Dictionary entry ${entryExample.id} deleted`)),
      problems: ENTRY_CHANGE_PROBLEMS,
    },
    async (_request, { params }) => {
      const removed = await dictionary.remove(entryIdIn(params))
      if (!removed.ok) return problemResponse(problemOfEntry(removed.failure))
      return Response.json({ message: `Dictionary entry ${removed.value.id} deleted` })
    },
  )

export const clearDictionaryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/dictionary',
      operationId: 'clearDictionary',
      summary: 'Delete all entries',
      description:
        'Deletes all entries permanently. Requires `confirm=true`. To be able to restore them, export them first.',
      tag: 'dictionary',
      query: strictObject({
        confirm: oneOf(['true'], { description: 'confirms that all entries should be deleted' }),
      }),
      responses: ok(
        'All entries are deleted',
        jsonContent(
          strictObject(
            { message: Type.String(), deleted: Type.Integer({ minimum: 0 }) },
            { $id: 'DictionaryCleared' },
          ),
          { message: '12 dictionary entries deleted', deleted: 12 },
        ),
      ),
      problems: STORE_PROBLEMS,
    },
    async () => {
      const deleted = await dictionary.clear()
      return Response.json({ message: `${deleted} dictionary entries deleted`, deleted })
    },
  )

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
      responses: ok('The entry after the change', oneEntry),
      problems: [...ENTRY_CHANGE_PROBLEMS, 'dictionary_entry_exists'],
    },
    async (_request, { params, body }) =>
      changedEntryResponse(await dictionary.change(entryIdIn(params), entryContent(body))),
  )
