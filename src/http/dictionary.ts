// GET, POST and DELETE /dictionary; GET, PUT, PATCH and DELETE /dictionary/{id}.
// Files are dictionary-files.ts; trying a text is dictionary-test.ts.

import { Type } from '@sinclair/typebox'
import { inSlices, type Sliced } from '../lib/slices.ts'
import { ENTRY_TYPES, type Entry } from '../text/dictionary/entry.ts'
import { fold } from '../text/fold.ts'
import type { TaughtDictionary } from '../writing/dictionary.ts'
import {
  contentOf,
  DictionaryEntrySchema,
  EntryPatchSchema,
  EntryReplacementSchema,
  entryExample,
  NewEntrySchema,
  patchOf,
  problemOfEntry,
  wireEntry,
  wrongBeside,
  wrongIn,
} from './dictionary-schema.ts'
import { language } from './language.ts'
import { type Problem, problemResponse } from './problem.ts'
import { READ_ONLY_NOTE } from './read-only.ts'
import { defineRoute, type Route, type Sent } from './route.ts'
import { flag, listOf, oneOf, pageQuery, strictObject, text, uuid } from './schema.ts'

export type DictionaryDeps = { dictionary: TaughtDictionary }

export const dictionaryRoutes = ({ dictionary }: DictionaryDeps): Route[] => [
  listRoute(dictionary),
  createRoute(dictionary),
  clearRoute(dictionary),
  getRoute(dictionary),
  putRoute(dictionary),
  patchRoute(dictionary),
  deleteRoute(dictionary),
]

const entryParams = strictObject({ id: uuid({ description: 'of the entry' }) })

const oneEntry = { 'application/json': { schema: DictionaryEntrySchema, example: entryExample } }

const STORE_PROBLEMS = ['disk_full', 'database_unavailable'] as const
const CHANGE_PROBLEMS = ['dictionary_entry_not_found', ...STORE_PROBLEMS] as const

const entryNotFound = (id: string): Problem => ({
  code: 'dictionary_entry_not_found',
  detail: `There is no dictionary entry ${id}.`,
})

/** Ids are stored in small letters, and may be sent in any. */
const idIn = ({ id }: { id: string }): string => id.toLowerCase()

/** The entry of the address; null where there is none, or no address of one. */
const entryAt = (dictionary: TaughtDictionary, { id }: Record<string, unknown>): Entry | null =>
  typeof id === 'string' ? dictionary.get(id.toLowerCase()) : null

const lookUp =
  (dictionary: TaughtDictionary, { isPatch }: { isPatch: boolean }) =>
  (sent: Sent) =>
    wrongBeside(dictionary, sent, { current: entryAt(dictionary, sent.path), isPatch })

type Changed = Awaited<ReturnType<TaughtDictionary['change']>>

const changedResponse = (changed: Changed): Response =>
  changed.ok ? Response.json(wireEntry(changed.value)) : problemResponse(problemOfEntry(changed.failure))

const listRoute = (dictionary: TaughtDictionary) =>
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
            description: 'in word, aliases or replacement, whatever case and accents',
            maxLength: 500,
          }),
        ),
        type: Type.Optional(oneOf(ENTRY_TYPES)),
        enabled: Type.Optional(flag({})),
        language: Type.Optional(language('only those for this one')),
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

const createRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'POST',
      path: '/dictionary',
      operationId: 'createDictionaryEntry',
      summary: 'Add an entry',
      description: 'It holds from the next transcription on, and is durable when the answer comes.',
      tag: 'dictionary',
      body: {
        kind: 'json',
        schema: NewEntrySchema,
        example: { type: 'replacement', word: 'git hub', replacement: 'GitHub' },
        alsoWrong: wrongIn,
      },
      lookUp: lookUp(dictionary, { isPatch: false }),
      responses: {
        201: { description: 'The new entry', headers: { Location: 'of the entry' }, content: oneEntry },
      },
      problems: ['dictionary_entry_exists', ...STORE_PROBLEMS],
    },
    async (_request, { body }) => {
      const created = await dictionary.create(contentOf(body), body.source)
      if (!created.ok) return problemResponse(problemOfEntry(created.failure))
      const location = `/dictionary/${created.value.id}`
      return Response.json(wireEntry(created.value), { status: 201, headers: { location } })
    },
  )

const clearRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/dictionary',
      operationId: 'clearDictionary',
      summary: 'Delete all entries',
      description: 'For good: `confirm=true` says that this is meant. Export them first to have them again.',
      tag: 'dictionary',
      query: strictObject({ confirm: oneOf(['true'], { description: 'that all of them are to go' }) }),
      responses: {
        200: {
          description: 'They are gone',
          content: {
            'application/json': {
              schema: strictObject(
                { message: Type.String(), deleted: Type.Integer({ minimum: 0 }) },
                { $id: 'DictionaryCleared' },
              ),
              example: { message: '12 dictionary entries deleted', deleted: 12 },
            },
          },
        },
      },
      problems: STORE_PROBLEMS,
    },
    async () => {
      const deleted = await dictionary.clear()
      return Response.json({ message: `${deleted} dictionary entries deleted`, deleted })
    },
  )

const getRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'GET',
      path: '/dictionary/{id}',
      operationId: 'getDictionaryEntry',
      summary: 'Get one entry',
      description: 'What it does, and how often it did.',
      tag: 'dictionary',
      params: entryParams,
      responses: { 200: { description: 'The entry', content: oneEntry } },
      problems: ['dictionary_entry_not_found'],
    },
    (_request, { params }) => {
      const entry = dictionary.get(idIn(params))
      return entry === null ? problemResponse(entryNotFound(params.id)) : Response.json(wireEntry(entry))
    },
  )

const putRoute = (dictionary: TaughtDictionary) =>
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
        alsoWrong: wrongIn,
      },
      lookUp: lookUp(dictionary, { isPatch: false }),
      responses: { 200: { description: 'The entry after the change', content: oneEntry } },
      problems: [...CHANGE_PROBLEMS, 'dictionary_entry_exists'],
    },
    async (_request, { params, body }) =>
      changedResponse(await dictionary.change(idIn(params), contentOf(body))),
  )

const patchRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'PATCH',
      path: '/dictionary/{id}',
      operationId: 'updateDictionaryEntry',
      summary: 'Change an entry',
      description: `Only what is given changes. ${READ_ONLY_NOTE}`,
      tag: 'dictionary',
      params: entryParams,
      body: { kind: 'json', schema: EntryPatchSchema, example: { enabled: false } },
      lookUp: lookUp(dictionary, { isPatch: true }),
      responses: { 200: { description: 'The entry after the change', content: oneEntry } },
      problems: [...CHANGE_PROBLEMS, 'dictionary_entry_exists'],
    },
    async (_request, { params, body }) =>
      changedResponse(await dictionary.change(idIn(params), patchOf(body))),
  )

const deleteRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/dictionary/{id}',
      operationId: 'deleteDictionaryEntry',
      summary: 'Delete an entry',
      description: 'Texts that were written with it stay as they are.',
      tag: 'dictionary',
      params: entryParams,
      responses: {
        200: {
          description: 'It is deleted',
          content: {
            'application/json': {
              schema: strictObject({ message: Type.String() }, { $id: 'Message' }),
              example: { message: `Dictionary entry ${entryExample.id} deleted` },
            },
          },
        },
      },
      problems: CHANGE_PROBLEMS,
    },
    async (_request, { params }) => {
      const removed = await dictionary.remove(idIn(params))
      if (!removed.ok) return problemResponse(problemOfEntry(removed.failure))
      return Response.json({ message: `Dictionary entry ${removed.value.id} deleted` })
    },
  )
