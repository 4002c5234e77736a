// An entry of the dictionary as the wire shows it, and what may be sent of one.
// What the operations on one entry share is entry.ts.

import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import { wireMapper, wireName, wireReader } from '../../lib/schema-mapping.ts'
import { checkEntry, tidyEntry } from '../../text/dictionary/check-entry.ts'
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
import type { DictionaryFailure, TaughtDictionary } from '../../writing/dictionary.ts'
import { problemOf } from '../contract/failure.ts'
import { faultOf } from '../contract/join-problems.ts'
import { type Fault, invalidRequest, type Problem } from '../contract/problem.ts'
import { changedReadOnly, readOnly } from '../contract/read-only.ts'
import type { Sent } from '../contract/route.ts'
import { dateTime, flag, strictObject, text, wholeNumber } from '../contract/schema.ts'
import { language } from '../fields/language.ts'

const word = (description: string) =>
  text({ minLength: 1, maxLength: ENTRY_LIMITS.wordCharacters, description })

const content = {
  type: oneOf(ENTRY_TYPES, {
    description:
      'a `term` is told to the recogniser; a `replacement` rewrites what it understood; a `snippet` does so too, and knows `{{date}}`, `{{time}}` and `{{clipboard}}` (which a request brings along in its field `clipboard`); `omit` leaves the word out of the text',
  }),
  word: word('what is said or recognised; with `is_regex` a pattern (RE2)'),
  replacement: nullable(text({ maxLength: ENTRY_LIMITS.replacementCharacters }), {
    description:
      'null for a term and for a word to omit, never empty for the others; with `is_regex` it may name groups: `$1`, `$&` for the whole match, a name in braces after `$`, and `$$` for a dollar',
  }),
  aliases: Type.Array(word('another form of it'), {
    maxItems: ENTRY_LIMITS.aliases,
    description: 'other forms; misheard ones of a term are written as the term',
  }),
  case_sensitive: flag({ description: 'only in the case of `word`', default: NEW_ENTRY.caseSensitive }),
  whole_word: flag({
    description:
      'not within a word or an address of mail or the web; beside scripts without spaces a word may begin anywhere',
    default: NEW_ENTRY.wholeWord,
  }),
  is_regex: flag({ description: '`word` is a pattern', default: NEW_ENTRY.isRegex }),
  enabled: flag({ default: NEW_ENTRY.enabled }),
  language: nullable(language(), { description: 'only in this one; null: in any' }),
  priority: wholeNumber({
    minimum: -ENTRY_LIMITS.priority,
    maximum: ENTRY_LIMITS.priority,
    default: NEW_ENTRY.priority,
    description: 'the highest are told to the recogniser last, which it heeds most',
  }),
}

const source = oneOf(ENTRY_SOURCES, { description: 'where it comes from' })

const told = {
  id: uuid(),
  source,
  usage_count: Type.Integer({ minimum: 0 }),
  last_used_at: nullable(dateTime()),
  created_at: dateTime(),
  updated_at: dateTime(),
}

export const DictionaryEntrySchema = strictObject({ ...told, ...content }, { $id: 'DictionaryEntry' })

const optional = <P extends TProperties>(properties: P) => Type.Partial(Type.Object(properties)).properties

const newEntry = {
  ...optional(content),
  type: Type.Optional({
    ...content.type,
    description: 'by default a replacement if `replacement` has a text, else a term',
  }),
  word: content.word,
}

export const NewEntrySchema = strictObject(
  { ...newEntry, source: Type.Optional(source) },
  { $id: 'NewDictionaryEntry' },
)

export const EntryReplacementSchema = strictObject(
  { ...newEntry, ...readOnly(told) },
  { $id: 'DictionaryEntryReplacement' },
)

/** What a patch leaves out stays as it is. */
const withoutDefaults = <P extends TProperties>(properties: P): P =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { default: _forNewOnes, ...schema }]) => [name, schema]),
  ) as P

const patch = withoutDefaults(optional(content))

export const EntryPatchSchema = strictObject(
  { ...patch, ...readOnly(told) },
  { $id: 'DictionaryEntryPatch', minProperties: 1 },
)
const EntryBodySchema = Type.Object(patch)

/** Of a file; what else it says is passed over. */
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

/** Only what was sent. */
export const patchOf = wireReader(EntryContentSchema.properties)

/** What was not sent is as in a new entry. */
export const entryContent = (body: EntryBody & { word: string }): EntryContent => ({
  ...NEW_ENTRY,
  aliases: [],
  type: impliedType(body.replacement),
  ...patchOf(body),
  word: body.word,
})

/** What no schema can say of a whole entry, where the schema found nothing wrong with what it concerns. */
export function wrongIn(value: unknown, path = ''): Fault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const isRight = ([name, part]: [string, unknown]) =>
    Object.hasOwn(CHECKS, name) && CHECKS[name as keyof typeof CHECKS](part)
  const sent = Object.entries(value).filter(([, part]) => part !== undefined)
  const body = Object.fromEntries(sent.filter(isRight)) as EntryBody
  const isAsked = (name: string) => body[name as keyof EntryBody] !== undefined || !Object.hasOwn(value, name)
  if (body.word === undefined || !isAsked('type') || !isAsked('replacement')) return []
  return checkEntry(tidyEntry(entryContent({ ...body, word: body.word })))
    .filter((fault) => isAsked(wireName(fault.field)))
    .map((fault) => ({ in: 'body', path: `${path}/${wireName(fault.field)}`, message: fault.message }))
}

/** Without them nobody can tell whether there is one like it. */
const IDENTIFYING = ['word', 'language', 'is_regex'] as const
const FIXED = ['id', 'created_at'] as const

/** What only a look at the dictionary can tell; `current` is the entry that is to change, `isPatch` only in parts. */
export function wrongBeside(
  dictionary: Pick<TaughtDictionary, 'conflict'>,
  { body, faulty }: Sent,
  { current, isPatch }: { current: Entry | null; isPatch: boolean },
): Problem[] {
  const fixed = current === null ? [] : changedReadOnly(body, wireEntry(current), FIXED)
  const sent = body as EntryBody
  const content = isPatch
    ? current && { ...current, ...patchOf(sent) }
    : entryContent({ ...sent, word: sent.word ?? '' })
  // Of a whole entry `wrongIn` has told what does not go together.
  const wrong = isPatch && content ? checkEntry(tidyEntry(content)) : []
  const isTold = content !== null && content.word !== '' && !IDENTIFYING.some((name) => faulty.has(name))
  const conflict = isTold ? dictionary.conflict(content, current?.id ?? null) : null
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

/** Of what `checkEntry` looks at. */
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
    return { ...invalidRequest([{ in: 'body', path: '', message: 'is too much' }]), detail: message }
  if (code !== 'invalid_entry') return problemOf({ code, message, ...(conflictingId && { conflictingId }) })
  return invalidRequest(
    faults.slice(0, MAX_FAULTS).map((fault) => ({
      in: 'body',
      path: fault.line === undefined ? `/${wireName(fault.field)}` : '',
      message:
        fault.line === undefined
          ? fault.message
          : `has a fault in line ${fault.line}: ${wireName(fault.field)} ${fault.message}`,
    })),
  )
}

const MAX_FAULTS = 50
