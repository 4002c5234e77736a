// Checks what a request brings against the schemas of its route: path, query, form and JSON, all faults at once.
// Does not read bodies and does not know what the values mean.

import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { TypeCompiler, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { closestWord, didYouMean } from '../../lib/did-you-mean.ts'
import { once } from '../../lib/once.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { nearestField } from './field-names.ts'
import { nameAt } from './join-problems.ts'
import { itemsIn, namesWithCommas, propertyNamed } from './list-fields.ts'
import { patternInWords } from './pattern-words.ts'
import type { Fault } from './problem.ts'
import { spellingOf } from './schema.ts'
import { spelledReader } from './spelled.ts'

/** Values as they stand in a query or a form: text, and possibly several of one name. */
export type TextValues = Iterable<[name: string, value: string]>

/** Enough to mend a request; a body made of nothing but faults must not grow the answer without end. */
const MAX_FAULTS = 50

/** No schema of ours is deeper than this; a body that is would only cost stack. */
const MAX_DEPTH = 32

/** No name of ours is longer; the answer would repeat such a one. */
const MAX_KEY_CHARACTERS = 1000

/** No object of ours has a tenth of that. */
const MAX_KEYS = 1000

/** Of a longer list a message names only the first. */
const MAX_NAMED_WORDS = 12

export type Checker<S extends TSchema> = (value: unknown) => Result<Static<S>, Fault[]>

/** Compiles a schema once, when something is first checked; the checker names every fault as `in`. */
export function createChecker<S extends TSchema>(schema: S, place: Fault['in']): Checker<S> {
  const compiling = once(() => ({ compiled: TypeCompiler.Compile(schema), read: spelledReader(schema) }))
  return (given) => {
    const { compiled, read } = compiling()
    const { faults, isTold } = findUnstorable(given, place)
    const value = read === null || isTold ? given : read(given)
    if (!isTold && !compiled.Check(value)) {
      for (const error of withinChoices(compiled.Errors(value))) {
        if (faults.length >= MAX_FAULTS) break
        // A missing property is reported twice: as missing, and as being of the wrong type.
        if (faults.some((fault) => fault.path === error.path)) continue
        faults.push({ in: place, path: error.path, message: messageOf(error) + suggestionFor(error) })
      }
    }
    return faults.length === 0 ? succeed(value as Static<S>) : fail(faults)
  }
}

/** Of a choice that offers one kind of object or list besides others, what is wrong within what was sent as one. */
function* withinChoices(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const meant = error.type === ValueErrorType.Union ? meantBranch(error) : undefined
    if (meant) yield* withinChoices(meant)
    else yield error
  }
}

function meantBranch({ schema, value, errors }: ValueError): Iterable<ValueError> | undefined {
  if (value === null || typeof value !== 'object') return undefined
  const kind = Array.isArray(value) ? 'array' : 'object'
  const branches = (schema.anyOf as TSchema[]).map(({ type }) => type)
  return branches.filter((type) => type === kind).length === 1 ? errors[branches.indexOf(kind)] : undefined
}

/** The same for names and values that are all text: converts by schema, then checks. */
export function createTextChecker<S extends TObject>(
  schema: S,
  place: Fault['in'],
): (values: TextValues) => Result<Static<S>, Fault[]> {
  const check = createChecker(schema, place)
  return (values) => {
    const { record, repeated } = convertTextValues(schema, values)
    const checked = check(record)
    const faults = repeated.map((name) => ({
      in: place,
      path: pointerTo(name),
      message: 'must be given only once',
    }))
    if (faults.length === 0) return checked
    return fail(checked.ok ? faults : [...faults, ...checked.failure])
  }
}

/** Fills in the defaults that a schema declares for absent keys. */
function withDefaults(schema: TObject, value: Record<string, unknown>): Record<string, unknown> {
  const filled = { ...value }
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(filled, name) && property.default !== undefined) filled[name] = property.default
  }
  return filled
}

function convertTextValues(schema: TObject, values: TextValues) {
  // No prototype: a parameter called `__proto__` is a name like any other, and is refused as unknown.
  const record: Record<string, unknown> = Object.create(null)
  const repeated = new Set<string>()
  const all = [...values]
  const withCommas = namesWithCommas(all.map(([given]) => given))
  for (const [given, text] of all) {
    const name = propertyNamed(schema, given)
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (property?.type === 'array') {
      const list = (record[name] ?? []) as unknown[]
      const items = itemsIn(text, { commas: withCommas.has(given) })
      record[name] = [...list, ...items.map((item) => convertText(property.items, item))]
    } else if (name in record) {
      if (property || schema.additionalProperties === false) repeated.add(name)
    } else {
      record[name] = property ? convertText(property, text) : text
    }
  }
  return { record: withDefaults(schema, record), repeated: [...repeated] }
}

/** The ways in which programs write yes and no; 1 and 0 are numbers where a number may stand too. */
const YES = ['true', 'yes', 'on', '1']
const NO = ['false', 'no', 'off', '0']

/** Only a text that is exactly a number or a flag becomes one; "1.5x" stays a text and is refused. */
function convertText(schema: TSchema, text: string): unknown {
  const branches = (schema.anyOf as TSchema[] | undefined) ?? [schema]
  const isNumber = branches.length > 1 && /^\d/.test(text)
  for (const branch of branches) {
    if (branch.type === 'boolean' && !isNumber) {
      if (YES.includes(text.toLowerCase())) return true
      if (NO.includes(text.toLowerCase())) return false
    }
    if (branch.type === 'integer' && /^-?(0|[1-9]\d{0,15})$/.test(text)) return Number(text)
    if (branch.type === 'number' && /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/.test(text)) return Number(text)
  }
  return text
}

/**
 * NUL and half surrogate pairs are valid JSON but no database keeps them as text. `isTold` where nothing more need be
 * said of the whole. Bodies of half a million values are seen here: a place is put into words only where it is wrong.
 */
function findUnstorable(value: unknown, place: Fault['in']): { faults: Fault[]; isTold: boolean } {
  const faults: Fault[] = []
  const names: (string | number)[] = []
  let isTold = false
  const refuse = (message: string, path = '') => faults.push({ in: place, path, message })
  const refuseHere = (message: string) =>
    refuse(message, names.map((name) => pointerTo(String(name))).join(''))
  const visitIn = (name: string | number, inner: unknown): void => {
    if (inner === null || (typeof inner !== 'string' && typeof inner !== 'object')) return
    names.push(name)
    visit(inner)
    names.pop()
  }
  const visit = (part: unknown): void => {
    if (isTold || faults.length >= MAX_FAULTS) return
    if (names.length > MAX_DEPTH) refuse('is nested too deeply')
    else if (typeof part === 'string') {
      if (part.includes('\0')) refuseHere('must not contain a NUL character')
      else if (!part.isWellFormed()) refuseHere('must be valid Unicode')
    } else if (Array.isArray(part)) {
      for (const [index, inner] of part.entries()) visitIn(index, inner)
    } else if (part !== null && typeof part === 'object') {
      const entries = Object.entries(part)
      if (entries.length > MAX_KEYS) {
        isTold = true
        refuseHere(`has more than ${MAX_KEYS} keys`)
        return
      }
      for (const [name, inner] of entries) {
        if (name.length > MAX_KEY_CHARACTERS) {
          isTold = true
          refuse(`has a key of more than ${MAX_KEY_CHARACTERS} characters`)
        }
        visitIn(name, inner)
      }
    }
  }
  visit(value)
  return { faults, isTold }
}

/** As a JSON Pointer. */
export const pointerTo = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

function messageOf(error: ValueError): string {
  const { type, schema, message } = error
  const tooLongOrShort = type === ValueErrorType.Union ? lengthErrorIn(error) : undefined
  if (tooLongOrShort) return messageOf(tooLongOrShort)
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return 'is required'
    case ValueErrorType.ObjectAdditionalProperties:
      return 'is not known here'
    case ValueErrorType.ObjectMinProperties:
      return 'must not be empty'
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1
        ? 'must not be empty'
        : `must have at least ${schema.minLength} characters`
    case ValueErrorType.StringMaxLength:
      return `must have at most ${schema.maxLength} characters`
    case ValueErrorType.StringPattern:
    case ValueErrorType.StringFormat:
      return `must be ${formName(schema)}`
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `must be at least ${schema.minimum}`
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `must be at most ${schema.maximum}`
    case ValueErrorType.ArrayMinItems:
      return `must have at least ${schema.minItems} ${schema.minItems === 1 ? 'item' : 'items'}`
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${schema.maxItems} ${schema.maxItems === 1 ? 'item' : 'items'}`
    default:
      return kindName(schema) === null ? lowerFirst(message) : `must be ${kindName(schema)}`
  }
}

/** What was perhaps meant: a field for a name that is not known, a word for one that is none of a list. */
function suggestionFor({ type, schema, value, path }: ValueError): string {
  if (type === ValueErrorType.ObjectAdditionalProperties)
    return didYouMean(nearestField(nameAt(path), Object.keys(schema.properties)))
  if (type !== ValueErrorType.Union || typeof value !== 'string') return ''
  const words = (schema.anyOf as TSchema[]).map((branch) => branch.const)
  const isList = words.every((word) => typeof word === 'string')
  return didYouMean(spellingOf(schema)?.near(value) ?? (isList ? closestWord(value, words) : null))
}

/** What keeps a text from being one branch of a choice when it is only its length. */
const lengthErrorIn = ({ errors }: ValueError): ValueError | undefined =>
  errors
    .flatMap((branch) => [...branch])
    .find(({ type }) => type === ValueErrorType.StringMinLength || type === ValueErrorType.StringMaxLength)

function formName(schema: TSchema): string {
  if (schema.format === 'uuid') return 'a UUID'
  if (schema.format === 'date-time') return 'a date and time such as 2026-01-31T12:00:00Z'
  if (schema.format === 'date') return 'a day such as 2026-01-31'
  return schema.pattern ? patternInWords(schema.pattern) : `a valid ${schema.format}`
}

/** What a schema wants, in words: "a whole number", "one of a, b", "true or false or null". */
function kindName(schema: TSchema): string | null {
  if (Array.isArray(schema.anyOf)) {
    const branches = schema.anyOf as TSchema[]
    if (branches.every((branch) => branch.const !== undefined)) {
      const words = branches.map((branch) => branch.const)
      const named = words.slice(0, MAX_NAMED_WORDS).join(', ')
      return words.length > MAX_NAMED_WORDS
        ? `one of the ${words.length} listed in /docs (${named}, …)`
        : `one of ${named}`
    }
    const kinds = branches.map(kindName)
    return kinds.includes(null) ? null : kinds.join(' or ')
  }
  if (schema.const !== undefined) return String(schema.const)
  const range = schema.minimum !== undefined && schema.maximum !== undefined
  const between = range ? ` from ${schema.minimum} to ${schema.maximum}` : ''
  const kinds: Record<string, string> = {
    integer: `a whole number${between}`,
    number: `a number${between}`,
    boolean: 'true or false',
    string: schema.pattern || schema.format ? formName(schema) : 'text',
    array: 'a list',
    object: 'an object',
    null: 'null',
  }
  return kinds[schema.type] ?? null
}

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)
