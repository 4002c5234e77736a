// Shared by the operations on one entry.

import { uuid } from '../../lib/schema.ts'
import type { Entry } from '../../text/dictionary/entry.ts'
import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { type Problem, problemResponse } from '../contract/problem.ts'
import type { ParsedRequest } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import {
  checkAgainstDictionary,
  DictionaryEntrySchema,
  entryExample,
  problemOfEntry,
  wireEntry,
} from './schema.ts'

export type DictionaryDeps = { dictionary: TaughtDictionary }

export const entryParams = strictObject({ id: uuid({ description: 'ID of the entry' }) })

export const oneEntry = { 'application/json': { schema: DictionaryEntrySchema, example: entryExample } }

export const STORE_PROBLEMS = ['disk_full', 'database_unavailable'] as const

export const ENTRY_CHANGE_PROBLEMS = ['dictionary_entry_not_found', ...STORE_PROBLEMS] as const

export const entryNotFound = (id: string): Problem => ({
  code: 'dictionary_entry_not_found',
  detail: `There is no dictionary entry ${id}.`,
})

/** Ids are stored in lowercase; clients may send either case. */
export const entryIdIn = ({ id }: { id: string }): string => id.toLowerCase()

/** The entry with the id in the path; null if there is none. */
const entryAt = (dictionary: TaughtDictionary, { id }: Record<string, unknown>): Entry | null =>
  typeof id === 'string' ? dictionary.get(id.toLowerCase()) : null

export const resolveEntry =
  (dictionary: TaughtDictionary, { isPatch }: { isPatch: boolean }) =>
  (sent: ParsedRequest) =>
    checkAgainstDictionary(dictionary, sent, { current: entryAt(dictionary, sent.path), isPatch })

type Changed = Awaited<ReturnType<TaughtDictionary['change']>>

export const changedEntryResponse = (changed: Changed): Response =>
  changed.ok ? Response.json(wireEntry(changed.value)) : problemResponse(problemOfEntry(changed.failure))
