import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import { wireMapper, wireName, wireReader } from '../../lib/schema-mapping.ts'
import { checkEntry, tidyEntry } from '../../text/dictionary/check-entry.ts'
import { readCsv, writeCsv } from '../../text/dictionary/csv-file.ts'
import {
  ENTRY_LIMITS,
  ENTRY_SOURCES,
  ENTRY_TYPES,
  type Entry,
  type EntryContent,
  EntryContentSchema,
  EntrySchema,
  impliedType,
  NEW_ENTRY,
} from '../../text/dictionary/entry.ts'
import type { DictionaryFormat, ReadOptions, ReadRows } from '../../text/dictionary/file-row.ts'
import { readDictionaryJson, writeJson } from '../../text/dictionary/json-file.ts'
import { readPlain, writePlain } from '../../text/dictionary/plain-file.ts'
import type { DictionaryFailure, TaughtDictionary } from '../../writing/dictionary.ts'
import { language } from '../fields/fields.ts'
import { faultOf } from '../kernel/input.ts'
import { changedReadOnly, readOnly } from '../kernel/json-body.ts'
import { type Fault, invalidRequest, type Problem, problemOf, problemResponse } from '../kernel/problem.ts'
import { jsonContent, type ParsedRequest } from '../kernel/route.ts'
import { dateTime, flag, strictObject, text, wholeNumber } from '../kernel/schema.ts'

const word = (description: string) =>
  text({ minLength: 1, maxLength: ENTRY_LIMITS.wordCharacters, description })

const content = {
  type: oneOf(ENTRY_TYPES, {
    description:
      'a `term` is passed to the recogniser as a hint; a `replacement` rewrites recognised text; a `snippet` does too, and may contain `{{date}}`, `{{time}}` and `{{clipboard}}` (sent in the request field `clipboard`); `omit` removes the word from the text',
  }),
  word: word('the spoken or recognised word; with `is_regex` a pattern (RE2)'),
  replacement: nullable(text({ maxLength: ENTRY_LIMITS.replacementCharacters }), {
    description:
      'null for types `term` and `omit`, never empty for the others; with `is_regex` it may refer to groups: `$1`, `$&` for the whole match, a name in braces after `$`, and `$$` for a dollar sign',
  }),
  aliases: Type.Array(word('another form of the word'), {
    maxItems: ENTRY_LIMITS.aliases,
    description: 'other forms; misrecognised forms of a term are replaced with the term',
  }),
  case_sensitive: flag({
    description: 'true matches only the exact case of `word`',
    default: NEW_ENTRY.caseSensitive,
  }),
  whole_word: flag({
    description:
      'true does not match inside a word, an e-mail address or a URL; next to a script without spaces, a word may start anywhere',
    default: NEW_ENTRY.wholeWord,
  }),
  is_regex: flag({ description: '`word` is a pattern', default: NEW_ENTRY.isRegex }),
  enabled: flag({ default: NEW_ENTRY.enabled }),
  language: nullable(language(), { description: 'applies only to this language; null: to any language' }),
  priority: wholeNumber({
    minimum: -ENTRY_LIMITS.priority,
    maximum: ENTRY_LIMITS.priority,
    default: NEW_ENTRY.priority,
    description:
      'the recogniser receives the highest priorities last, because it gives the last words most weight',
  }),
}

const source = oneOf(ENTRY_SOURCES, { description: 'how the entry was created' })

const readOnlyFields = {
  id: uuid(),
  source,
  usage_count: Type.Integer({ minimum: 0 }),
  last_used_at: nullable(dateTime()),
  created_at: dateTime(),
  updated_at: dateTime(),
}

export const DictionaryEntrySchema = strictObject(
  { ...readOnlyFields, ...content },
  { $id: 'DictionaryEntry' },
)

const optional = <P extends TProperties>(properties: P) => Type.Partial(Type.Object(properties)).properties

const newEntry = {
  ...optional(content),
  type: Type.Optional({
    ...content.type,
    description: 'default: `replacement` if `replacement` is a text, else `term`',
  }),
  word: content.word,
}

export const NewEntrySchema = strictObject(
  { ...newEntry, source: Type.Optional(source) },
  { $id: 'NewDictionaryEntry' },
)

export const EntryReplacementSchema = strictObject(
  { ...newEntry, ...readOnly(readOnlyFields) },
  { $id: 'DictionaryEntryReplacement' },
)

/** Fields that a patch omits stay unchanged, so its schema has no defaults. */
const withoutDefaults = <P extends TProperties>(properties: P): P =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { default: _forNewOnes, ...schema }]) => [name, schema]),
  ) as P

const patch = withoutDefaults(optional(content))

export const EntryPatchSchema = strictObject(
  { ...patch, ...readOnly(readOnlyFields) },
  { $id: 'DictionaryEntryPatch', minProperties: 1 },
)
const EntryBodySchema = Type.Object(patch)

/** An entry in a file; unknown fields are ignored. */
export const ImportedEntrySchema = Type.Object({
  ...newEntry,
  source: Type.Optional(source),
  usage_count: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  last_used_at: Type.Optional(nullable(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }))),
  created_at: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' })),
})

export type EntryBody = Static<typeof EntryBodySchema>

export const entryExample: Static<typeof DictionaryEntrySchema> = {
  id: '0197a3a4-7b9c-7c33-8d2e-5f6a7b8c9d0e',
  type: 'replacement',
  word: 'git hub',
  replacement: 'GitHub',
  aliases: ['get hub'],
  case_sensitive: false,
  whole_word: true,
  is_regex: false,
  enabled: true,
  language: null,
  priority: 0,
  source: 'manual',
  usage_count: 12,
  last_used_at: '2026-01-31T12:00:00.000Z',
  created_at: '2026-01-30T08:00:00.000Z',
  updated_at: '2026-01-30T08:00:00.000Z',
}

export const wireEntry = wireMapper(EntrySchema.properties)

/** Contains only the fields that were sent. */
export const patchOf = wireReader(EntryContentSchema.properties)

/** Fills omitted fields with the defaults of a new entry. */
export const entryContent = (body: EntryBody & { word: string }): EntryContent => ({
  ...NEW_ENTRY,
  aliases: [],
  type: impliedType(body.replacement),
  ...patchOf(body),
  word: body.word,
})

/** Checks rules across fields that no schema can express, using only the fields that passed the schema. */
export function checkEntryBody(value: unknown, path = ''): Fault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const isRight = ([name, part]: [string, unknown]) =>
    Object.hasOwn(CHECKS, name) && CHECKS[name as keyof typeof CHECKS](part)
  const sent = Object.entries(value).filter(([, part]) => part !== undefined)
  const body = Object.fromEntries(sent.filter(isRight)) as EntryBody
  const isUsable = (name: string) =>
    body[name as keyof EntryBody] !== undefined || !Object.hasOwn(value, name)
  if (body.word === undefined || !isUsable('type') || !isUsable('replacement')) return []
  return checkEntry(tidyEntry(entryContent({ ...body, word: body.word })))
    .filter((fault) => isUsable(wireName(fault.field)))
    .map((fault) => ({ in: 'body', path: `${path}/${wireName(fault.field)}`, message: fault.message }))
}

/** While one of these is invalid, duplicates cannot be detected. */
const IDENTIFYING = ['word', 'language', 'is_regex'] as const
const FIXED = ['id', 'created_at'] as const

/**
 * Checks the body against the dictionary: read-only fields and duplicates.
 * @param current the entry to change; null for a new one
 * @param isPatch whether the body contains only some of its fields
 */
function checkAgainstDictionary(
  dictionary: Pick<TaughtDictionary, 'conflict'>,
  { body, faulty }: ParsedRequest,
  { current, isPatch }: { current: Entry | null; isPatch: boolean },
): Problem[] {
  const fixed = current === null ? [] : changedReadOnly(body, wireEntry(current), FIXED)
  const sent = body as EntryBody
  const content = isPatch
    ? current && { ...current, ...patchOf(sent) }
    : entryContent({ ...sent, word: sent.word ?? '' })
  // For a whole entry, `checkEntryBody` has already reported fields that contradict each other.
  const wrong = isPatch && content ? checkEntry(tidyEntry(content)) : []
  const isComparable =
    content !== null && content.word !== '' && !IDENTIFYING.some((name) => faulty.has(name))
  const conflict = isComparable ? dictionary.conflict(content, current?.id ?? null) : null
  const place = { in: 'body', path: '/word', message: 'is in the dictionary already' } as const
  return [
    ...fixed.map(faultOf),
    ...wrong.map((fault) =>
      faultOf({ in: 'body', path: `/${wireName(fault.field)}`, message: fault.message }),
    ),
    ...(conflict === null ? [] : [{ ...problemOfEntry(conflict), errors: [place] }]),
  ]
}

const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)

/** Type checks for the fields that `checkEntry` reads. */
const CHECKS = {
  type: (value: unknown) => ENTRY_TYPES.some((type) => type === value),
  word: (value: unknown) => isText(value) && (value as string).length <= ENTRY_LIMITS.wordCharacters,
  replacement: (value: unknown) => value === null || isText(value),
  aliases: isTexts,
  case_sensitive: (value: unknown) => typeof value === 'boolean',
  is_regex: (value: unknown) => typeof value === 'boolean',
}

export function problemOfEntry(failure: DictionaryFailure): Problem {
  const { code, faults = [], message, conflictingId } = failure
  if (code === 'dictionary_full')
    return {
      ...invalidRequest([{ in: 'body', path: '', message: 'exceeds the size of the dictionary' }]),
      detail: message,
    }
  if (code !== 'invalid_entry') return problemOf({ code, message, ...(conflictingId && { conflictingId }) })
  return invalidRequest(
    faults.slice(0, MAX_FAULTS).map((fault) => ({
      in: 'body',
      path: fault.line === undefined ? `/${wireName(fault.field)}` : '',
      message:
        fault.line === undefined
          ? fault.message
          : `is invalid in line ${fault.line}: ${wireName(fault.field)} ${fault.message}`,
    })),
  )
}

const MAX_FAULTS = 50

export const entryParams = strictObject({ id: uuid({ description: 'ID of the entry' }) })

export const oneEntry = jsonContent(DictionaryEntrySchema, entryExample)

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

export const FILE_FORMATS: Record<
  DictionaryFormat,
  { mediaType: string; read: (text: string, options: ReadOptions) => ReadRows; write: typeof writeCsv }
> = {
  json: { mediaType: 'application/json', read: readDictionaryJson, write: writeJson },
  csv: { mediaType: 'text/csv', read: readCsv, write: writeCsv },
  txt: { mediaType: 'text/plain', read: readPlain, write: writePlain },
}

export const FILE_EXAMPLES: Record<DictionaryFormat, string> = {
  txt: 'Kubernetes | cooper netties\nbtw => by the way ;; language=en\n',
  csv: 'type,word,replacement,aliases\r\nreplacement,btw,by the way,bee tee double you | b t w\r\n',
  json: '{"entries": [{"type": "term", "word": "Kubernetes"}]}',
}
