// Invalid values, one step away from valid ones, for JSON bodies and text values. ajv decides with the document's schema what
// is invalid.

import type { ApiDocument, Schema } from './document.ts'

export type Mutant = {
  what: string
  /** JSON Pointer to the field that the response must name */
  path: string
  value: unknown
}

const NO_OBJECTS: unknown[] = [null, true, 0, -1, 1.5, 1e300, 'x', '', [], ['x']]
const OF_EVERY_TYPE: unknown[] = [...NO_OBJECTS, {}, { x: 1 }]

/** Every invalid variant of a valid body or of one part of it. */
export function bodyMutants(document: ApiDocument, given: Schema, valid: object): Mutant[] {
  const schema = document.resolve(given)
  const isValid = document.validator(given)
  const whole: Mutant[] = NO_OBJECTS.map((value) => ({
    what: `the body is ${short(value)}`,
    path: '',
    value,
  }))
  const [first] = schema.required ?? []
  const empty: Mutant = { what: 'the body is {}', path: first === undefined ? '' : `/${first}`, value: {} }
  return [empty, ...whole, ...objectMutants(document, schema, valid)].filter(
    ({ value }) => isUnstorable(value) || !isValid(value),
  )
}

/** The same for an object that may be nested in another, and for the objects inside it. */
function objectMutants(document: ApiDocument, schema: Schema, valid: object): Mutant[] {
  const unknown = schema.additionalProperties === true ? [] : ['unknown', 'constructor', 'a/b~c', '']
  const strangers = unknown.map((name) => ({
    what: `an unknown key ${short(name)}`,
    path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    value: { ...valid, [name]: 1 },
  }))
  const missing = (schema.required ?? []).map((name) => ({
    what: `${name} is missing`,
    path: `/${name}`,
    value: Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name)),
  }))
  // Of read-only fields only the type is checked; ignored timestamps may be invalid.
  const writable = Object.entries(schema.properties ?? {}).filter(([, { readOnly }]) => readOnly !== true)
  const parts = writable.flatMap(([name, property]) => {
    const wrong = [...OF_EVERY_TYPE, ...beyondLimits(document, property), ...unstorable(document, property)]
    const part = (valid as Record<string, unknown>)[name]
    const base = part !== null && typeof part === 'object' ? part : {}
    const within = objectsIn(document, property).flatMap((inner) => objectMutants(document, inner, base))
    return [
      ...wrong.map((value) => ({ what: `${name} is ${short(value)}`, path: `/${name}`, value })),
      ...within.map(({ what, path, value }) => ({
        what: `${name}: ${what}`,
        path: `/${name}${path}`,
        value,
      })),
    ].map(({ what, path, value }) => ({ what, path, value: { ...valid, [name]: value } }))
  })
  return [...strangers, ...missing, ...parts]
}

function objectsIn(document: ApiDocument, given: Schema): Schema[] {
  const schema = document.resolve(given)
  return [schema, ...(schema.anyOf ?? []).map(document.resolve)].filter(({ type }) => type === 'object')
}

/** Values just outside every limit of the schema. */
function beyondLimits(document: ApiDocument, given: Schema): unknown[] {
  const schema = document.resolve(given)
  const values: unknown[] = []
  if (schema.maxLength !== undefined) values.push('x'.repeat(schema.maxLength + 1))
  if (schema.minLength) values.push('x'.repeat(schema.minLength - 1))
  if (schema.maximum !== undefined) values.push(schema.maximum + 1)
  if (schema.minimum !== undefined) values.push(schema.minimum - 1)
  if (schema.maxItems !== undefined && schema.maxItems < 1000)
    values.push(Array(schema.maxItems + 1).fill('x'))
  if (schema.enum) values.push('none_of_them')
  // Languages are accepted in several spellings.
  if (schema.enum && !schema.enum.includes('yue'))
    values.push(String(schema.enum[0]).toUpperCase(), `${schema.enum[0]} `)
  if (schema.format === 'date-time') values.push(...NO_MOMENTS)
  if (schema.format === 'date') values.push('2026-02-30', '2026-1-1')
  const branches = schema.anyOf ?? []
  const takesDays = branches.some((branch) => document.resolve(branch).format === 'date')
  return [...values, ...branches.flatMap((branch) => beyondLimits(document, branch))].filter(
    (value) => !takesDays || value !== A_DAY,
  )
}

const A_DAY = '2026-01-01'
const NO_MOMENTS = ['2026-02-30T00:00:00Z', A_DAY, '1/2/2026', '2026-01-01T25:00:00Z', '2026-01-01T00:00:00']

/** Valid JSON that no schema forbids, but that a database cannot store as text. */
const UNSTORABLE = ['a\0b', 'half \ud800 pair']

const unstorable = (document: ApiDocument, schema: Schema): string[] =>
  takesType(document, schema, 'string') ? UNSTORABLE : []

const isUnstorable = (value: unknown): boolean =>
  UNSTORABLE.includes(value as string) ||
  (value !== null && typeof value === 'object' && Object.values(value).some(isUnstorable))

function takesType(document: ApiDocument, given: Schema, type: string): boolean {
  const schema = document.resolve(given)
  return schema.type === type || (schema.anyOf ?? []).some((branch) => takesType(document, branch, type))
}

/** Numbers in spellings that only lenient parsers accept, and invalid flags. */
const ODD_TEXTS = [
  '1e1',
  '0x1',
  '+1',
  ' 1',
  '1 ',
  '01',
  '1.0',
  '1,5',
  'NaN',
  'Infinity',
  'TRUE ',
  'y',
  'null',
]
const TEXTS = ['', 'x', '-1', '1.5', '99999999999999999999', 'true', ...ODD_TEXTS]

/** Texts that a query parameter or form field with this schema must reject. */
export function textMutants(document: ApiDocument, given: Schema): string[] {
  // A repeated name makes a list.
  const schema = given.type === 'array' ? (given.items ?? {}) : given
  const isValid = document.validator(schema)
  const readsAs = (text: string): unknown[] => {
    const isWhole = takesType(document, schema, 'integer') && text.endsWith('.0')
    const isExact = /^(true|false|-?(0|[1-9]\d*)(\.\d+)?)$/.test(text) && !isWhole
    return isExact ? [text, JSON.parse(text)] : [text]
  }
  const limits = beyondLimits(document, schema).map(String)
  const wrong = [...TEXTS, ...limits].filter((text) => !readsAs(text).some((value) => isValid(value)))
  return [...new Set(takesType(document, schema, 'string') ? [...wrong, UNSTORABLE[0]!] : wrong)]
}

function short(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 30)}… (${text.length})` : text
}
