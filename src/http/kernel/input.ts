// Validates path, query, form and JSON against the schemas of a route, and reports all errors at once, with hints for
// misspelt values.

import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { TypeCompiler, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { closestWord, didYouMean } from '../../lib/did-you-mean.ts'
import { once } from '../../lib/once.ts'
import { KEY_VARIABLE_PATTERN } from '../../lib/openai-server.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { type Fault, invalidRequest, PROBLEMS, type Problem } from './problem.ts'
import { type Aliases, aliasesOf, itemsIn, namesWithCommas, nearestField, propertyNamed } from './schema.ts'

/** A problem for an error in one field that only a lookup can find, such as an unknown name. */
export const faultOf = (fault: Fault): Problem => invalidRequest([fault])

export const isUnprocessable = ({ code }: Problem): boolean => PROBLEMS[code].status === 422

/**
 * Merges problems into one; null if there are none. If one is a 422, the errors of all problems that name a field are
 * merged, conflicts included; a single problem keeps its code. If none is a 422, the first problem is returned.
 */
export function mergeProblems(problems: readonly (Problem | null)[]): Problem | null {
  const found = problems.filter((problem) => problem !== null)
  if (!found.some(isUnprocessable)) return found[0] === undefined ? null : withoutFaults(found[0])
  const merged: Fault[] = []
  const contributing = found.filter(({ errors = [] }) => {
    const more = errors.filter((fault) => !merged.some((other) => concerns(other, fault)))
    merged.push(...more)
    return more.length > 0
  })
  if (contributing.length === 0) return found.find(isUnprocessable)!
  return contributing.length === 1 && isUnprocessable(contributing[0]!)
    ? contributing[0]!
    : invalidRequest(merged)
}

/** Whether both errors are about the same value, or the second about a part of it. */
const concerns = (one: Fault, other: Fault): boolean =>
  one.in === other.in &&
  (one.path === other.path || (one.path !== '' && other.path.startsWith(`${one.path}/`)))

/** A single conflict is reported by its id; its field only matters beside other errors. */
const withoutFaults = ({ errors, ...problem }: Problem): Problem =>
  isUnprocessable({ ...problem }) && errors ? { ...problem, errors } : problem

/** The names of the invalid fields, or keys of the body. */
export const invalidNames = (faults: readonly Fault[], place: Fault['in']): ReadonlySet<string> =>
  new Set(faults.filter((fault) => fault.in === place).map(({ path }) => nameAt(path)))

/** The first segment of a JSON Pointer. */
export const nameAt = (path: string): string =>
  (path.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')

/** The valid keys of a JSON object; empty for any other value. */
export function validKeys(value: unknown, faults: readonly Fault[]): Record<string, unknown> {
  const faulty = invalidNames(faults, 'body')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([name]) => !faulty.has(name)))
}

const IN_WORDS = new Map([
  ['^https?://[^\\s/?#]+[^\\s]*$', 'an address that begins with http:// or https://'],
  [
    KEY_VARIABLE_PATTERN,
    'the name of an environment variable that begins with DICTATION_: letters, digits and _',
  ],
  ['^[a-z]{2,3}$', 'a language code such as en'],
  ['^[0-9a-f]{64}$', 'a SHA-256: 64 digits from 0 to 9 and a to f'],
  ['^[a-z0-9][a-z0-9._-]{0,99}$', 'at most 100 lowercase letters, digits, dots, _ and -'],
  ['\\S', 'more than spaces'],
])

/** Follows "must be". A pattern without an entry is shown itself. */
const patternInWords = (pattern: string): string => IN_WORDS.get(pattern) ?? `of the form ${pattern}`

type Reader = (value: unknown) => unknown

/** Null if no part of the schema has other spellings, so that large bodies are not walked for nothing. */
function aliasReader(schema: TSchema): Reader | null {
  const aliases = aliasesOf(schema)
  if (aliases !== undefined) return (value) => (typeof value === 'string' ? meant(aliases, value) : value)
  for (const branch of [schema, ...((schema.anyOf as TSchema[] | undefined) ?? [])]) {
    if (branch.type === 'object') return objectReader(branch as TObject)
    if (branch.type === 'array') return listReader(branch.items as TSchema | undefined)
  }
  return null
}

const meant = ({ read }: Aliases, text: string): string => read(text) ?? text

function objectReader({ properties = {} }: Partial<TObject>): Reader | null {
  const readers = Object.entries(properties).flatMap(([name, schema]) => {
    const read = aliasReader(schema)
    return read === null ? [] : [{ name, read }]
  })
  if (readers.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const given = readers.filter(({ name }) => Object.hasOwn(value, name))
    const read = given.map(({ name, read }) => [name, read((value as Record<string, unknown>)[name])])
    // With a spread, a key called `__proto__` remains a key and is rejected as unknown.
    return given.length === 0 ? value : { ...value, ...Object.fromEntries(read) }
  }
}

function listReader(items: TSchema | undefined): Reader | null {
  const read = items === undefined ? null : aliasReader(items)
  return read === null ? null : (value) => (Array.isArray(value) ? value.map(read) : value)
}

/** Values of a query or a form: text, possibly several with one name. */
export type TextValues = Iterable<[name: string, value: string]>

/** Enough to correct a request; a body full of errors must not make the response arbitrarily large. */
const MAX_FAULTS = 50

/** Deeper than any of our schemas; a deeper body would only cost stack. */
const MAX_DEPTH = 32

/** Longer than any of our names; the response would repeat the key. */
const MAX_KEY_CHARACTERS = 1000

/** More than ten times as many as any of our objects has. */
const MAX_KEYS = 1000

/** A message lists at most this many allowed words. */
const MAX_NAMED_WORDS = 12

export type Checker<S extends TSchema> = (value: unknown) => Result<Static<S>, Fault[]>

/** Compiles the schema lazily, once. `place` becomes the `in` of every error. */
export function createChecker<S extends TSchema>(schema: S, place: Fault['in']): Checker<S> {
  const compiling = once(() => ({ compiled: TypeCompiler.Compile(schema), read: aliasReader(schema) }))
  return (given) => {
    const { compiled, read } = compiling()
    const { faults, isFinal } = findUnstorable(given, place)
    const value = read === null || isFinal ? given : read(given)
    if (!isFinal && !compiled.Check(value)) {
      for (const error of withinChoices(compiled.Errors(value))) {
        if (faults.length >= MAX_FAULTS) break
        // TypeBox reports a missing property twice: as missing, and as having the wrong type.
        if (faults.some((fault) => fault.path === error.path)) continue
        faults.push({ in: place, path: error.path, message: messageOf(error) + suggestionFor(error) })
      }
    }
    return faults.length === 0 ? succeed(value as Static<S>) : fail(faults)
  }
}

/** For a union with exactly one object (or list) branch: the errors inside that branch, if the value is an object (or list). */
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

/** Like createChecker, for names and values that are all text: converts them by the schema, then checks. */
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
  // No prototype: a parameter called `__proto__` is a normal name, and is rejected as unknown.
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

/** How clients write booleans. If the schema also allows a number, 1 and 0 are numbers. */
const YES = ['true', 'yes', 'on', '1']
const NO = ['false', 'no', 'off', '0']

/** Converts only a text that is exactly a number or a flag; "1.5x" remains text and is rejected. */
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
 * NUL and lone surrogates are valid JSON, but no database stores them as text. `isFinal` means that the schema check can
 * be skipped. Bodies may have half a million values, so the path of a value is only built for an error.
 */
function findUnstorable(value: unknown, place: Fault['in']): { faults: Fault[]; isFinal: boolean } {
  const faults: Fault[] = []
  const names: (string | number)[] = []
  let isFinal = false
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
    if (isFinal || faults.length >= MAX_FAULTS) return
    if (names.length > MAX_DEPTH) refuse('is nested too deeply')
    else if (typeof part === 'string') {
      if (part.includes('\0')) refuseHere('must not contain a NUL character')
      else if (!part.isWellFormed()) refuseHere('must be valid Unicode')
    } else if (Array.isArray(part)) {
      for (const [index, inner] of part.entries()) visitIn(index, inner)
    } else if (part !== null && typeof part === 'object') {
      const entries = Object.entries(part)
      if (entries.length > MAX_KEYS) {
        isFinal = true
        refuseHere(`has more than ${MAX_KEYS} keys`)
        return
      }
      for (const [name, inner] of entries) {
        if (name.length > MAX_KEY_CHARACTERS) {
          isFinal = true
          refuse(`has a key of more than ${MAX_KEY_CHARACTERS} characters`)
        }
        visitIn(name, inner)
      }
    }
  }
  visit(value)
  return { faults, isFinal }
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

/** What the client perhaps meant: a known field for an unknown name, an allowed word for one outside the list. */
function suggestionFor({ type, schema, value, path }: ValueError): string {
  if (type === ValueErrorType.ObjectAdditionalProperties)
    return didYouMean(nearestField(nameAt(path), Object.keys(schema.properties)))
  if (type !== ValueErrorType.Union || typeof value !== 'string') return ''
  const words = (schema.anyOf as TSchema[]).map((branch) => branch.const)
  const isList = words.every((word) => typeof word === 'string')
  return didYouMean(aliasesOf(schema)?.near(value) ?? (isList ? closestWord(value, words) : null))
}

/** The error of the branch of a union that the text fails only because of its length. */
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

/** What a schema accepts, in words: "a whole number", "one of a, b", "true or false or null". */
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
