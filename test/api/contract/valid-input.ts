// Valid input for each operation, from the document's schemas and from values that no schema can express.

import { BUILTIN_STYLES } from '../../../src/writing/builtin-styles.ts'
import fc from '../../support/fast-check.ts'
import { type ApiDocument, type Operation, parametersIn, type Schema } from './document.ts'
import { createGenerator, type Meaningful } from './generate.ts'
import { formWith, modelFile, silentWav } from './recordings.ts'

/** A model without content, for every language; imported by fixtures.ts. */
export const MULTILINGUAL = 'babel'
/** The model on the hub of fixtures.ts. */
export const DOWNLOADABLE = 'ada/models/ggml-swiss.bin'
export const INSTALLED = 'tiny.en-q5_1'

const installed = fc.constantFrom('tiny.en', 'whisper-tiny.en', INSTALLED)
const maybe = (values: fc.Arbitrary<unknown>) => fc.option(values, { nil: null })
const styleId = fc.constantFrom(...BUILTIN_STYLES.map(({ id }) => id))
const unknownIds = fc.array(fc.uuid(), { minLength: 1, maxLength: 3 })
const phrases = fc.array(
  fc.uuid().map((id) => `please ${id}`),
  { minLength: 1, maxLength: 3 },
)
const steps = fc.array(fc.constantFrom('sort lines', 'Remove empty lines.', 'bullet list'), {
  minLength: 1,
  maxLength: 3,
})
/** A local address where nothing listens. */
const deadAddress = fc.constant('http://127.0.0.1:9/v1')

const SETTINGS: Meaningful = {
  stt_model: maybe(installed),
  language: fc.constantFrom('auto', 'en', null),
  llm_base_url: maybe(deadAddress),
  engine_url: maybe(deadAddress),
  webhook_url: fc.constant(null),
  model_base_url: fc.constant(null),
  default_writing_style_id: maybe(styleId),
  languages: maybe(fc.uniqueArray(fc.constantFrom('en', 'de', 'yue'))),
  // Must not delete what the other tests created.
  max_captures: maybe(fc.integer({ min: 100_000, max: 10_000_000 })),
}
const COMMAND: Meaningful = { name: fc.uuid(), triggers: phrases, steps, instructions: fc.uuid() }
const timeZone = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu')
const FILTER = fc.record({ app: fc.uuid(), starred: fc.boolean(), tz: timeZone })
const STYLE: Meaningful = {
  url_patterns: fc.constant(['*.example.com/wiki']),
  stt_model: installed,
}

const ENTRY: Meaningful = {
  ...{ word: fc.uuid(), aliases: fc.array(fc.uuid(), { maxLength: 3 }), is_regex: fc.constant(false) },
  // Depends on whether there is a replacement.
  type: fc.constant(undefined),
}
/** Files that are sent as the body, by media type. */
const FILES: Record<string, string> = {
  'text/plain': 'Kubernetes | cooper netties\nomw => on my way\n',
  'text/csv': 'type,word,replacement\r\nreplacement,brb,be right back\r\n',
  'text/tab-separated-values': 'type\tword\treplacement\r\nreplacement\tbrb\tbe right back\r\n',
  'application/json': '{"entries": [{"type": "term", "word": "Ada"}]}',
}

const MCP_PARAMS = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'contract test', version: '1' },
}

const OPENAI: Meaningful = {
  model: fc.constantFrom(INSTALLED, 'whisper-1', 'gpt-4o-transcribe'),
  language: fc.constant('en'),
}

/** Values that a schema cannot express: texts that mean something to this server. */
const MEANINGFUL: Record<string, Meaningful> = {
  createWritingStyle: STYLE,
  replaceWritingStyle: STYLE,
  updateWritingStyle: STYLE,
  previewWritingStyle: { language: fc.constant('en') },
  putSettings: SETTINGS,
  changeSettings: SETTINGS,
  createCommand: COMMAND,
  replaceCommand: COMMAND,
  runCommand: {
    ...{ language: fc.constantFrom('auto', 'en'), stt_model: installed, writing_style_id: maybe(styleId) },
    context: fc.record({ app_name: fc.string(), url: fc.webUrl() }),
    capture_id: fc.constant(null),
  },
  retranscribeCaptures: {
    ids: unknownIds,
    filter: FILTER,
    model: maybe(installed),
    language: maybe(fc.constant('en')),
  },
  deleteCaptures: { ids: unknownIds, filter: FILTER },
  exportCaptures: { ids: fc.constant(undefined), filter: FILTER },
  createDictionaryEntry: ENTRY,
  replaceDictionaryEntry: ENTRY,
  updateDictionaryEntry: {
    ...ENTRY,
    ...{ replacement: fc.uuid(), type: fc.constantFrom('replacement', 'snippet') },
  },
  // The media type determines it.
  importDictionary: { format: fc.constant(undefined) },
  testDictionary: { entry: fc.record({ word: fc.uuid(), replacement: fc.string() }) },
  refineCapture: { writing_style_id: maybe(styleId) },
  downloadModel: { model_name: fc.constantFrom(INSTALLED, 'whisper-tiny.en', DOWNLOADABLE) },
  loadAnyModel: { model_size: installed },
  importModel: { name: fc.uuid() },
  createOpenAiTranscription: OPENAI,
  createAzureTranscription: OPENAI,
  createOpenAiTranslation: { model: fc.constant(MULTILINGUAL) },
  createAzureTranslation: { model: fc.constant(MULTILINGUAL) },
  createInference: { language: fc.constantFrom('auto', 'en'), translate: fc.constant(false) },
  sendMcpMessage: {
    method: fc.constant('initialize'),
    params: fc.constant(MCP_PARAMS),
    ...{ id: fc.integer(), result: fc.constant(undefined), error: fc.constant(undefined) },
  },
  getStatistics: { tz: timeZone },
  // The other filters accept any text.
  listCaptures: { tz: timeZone },
  listDictionary: {},
}
const RECORDING: Meaningful = {
  // No recording can be from before 1860, which no schema expresses.
  recorded_at: fc.constantFrom('2019-05-01', '1965-12-24T18:00:00+01:00', '1860-01-02T00:00:00.000Z'),
  model: installed,
  stt_model: installed,
  language: fc.constantFrom('auto', 'en'),
  task: fc.constant('transcribe'),
  writing_style_id: styleId,
}
export const meaningfulOf = ({ id }: Operation): Meaningful => MEANINGFUL[id] ?? RECORDING

/** Valid bodies, to which a test adds one invalid value. */
const VALID_BODIES: Record<string, Record<string, unknown>> = {
  updateCapture: { starred: true },
  correctSegment: { text: 'There is a new message.' },
  retranscribeCaptures: { ids: [crypto.randomUUID()] },
  deleteCaptures: { ids: [crypto.randomUUID()] },
  exportCaptures: { filter: { app: 'no-such-app' } },
  createWritingStyle: { name: 'Minutes' },
  replaceWritingStyle: { name: 'Minutes' },
  updateWritingStyle: { description: 'For meetings' },
  previewWritingStyle: { text: 'um hello', style: { tone: 'formal' } },
  createDictionaryEntry: { word: 'Kubernetes' },
  replaceDictionaryEntry: { word: 'Kubernetes' },
  updateDictionaryEntry: { enabled: true },
  testDictionary: { text: 'it is on git hub', entry: { word: 'git hub' } },
  runCommand: { command: 'upper case' },
  createCommand: { name: 'Tidy', triggers: ['tidy my groceries'], steps: ['sort lines'] },
  replaceCommand: { name: 'Tidy', triggers: ['tidy my groceries'], steps: ['sort lines'] },
  downloadModel: { model_name: INSTALLED },
  cancelModelDownload: { model_name: INSTALLED },
  sendMcpMessage: { jsonrpc: '2.0', id: 1, method: 'initialize', params: MCP_PARAMS },
}
export const validBody = ({ id }: Operation): Record<string, unknown> => VALID_BODIES[id] ?? {}

/** Keys that exclude each other: aliases, or alternatives. */
const EITHER: Record<string, { names: string[]; required: boolean }[]> = {
  retranscribeCaptures: [{ names: ['ids', 'filter'], required: true }],
  deleteCaptures: [{ names: ['ids', 'filter'], required: true }],
  exportCaptures: [{ names: ['filter', 'ids'], required: true }],
  createCommand: [{ names: ['steps', 'instructions'], required: true }],
  replaceCommand: [{ names: ['steps', 'instructions'], required: true }],
  runCommand: [
    { names: ['command', 'instruction', 'prompt', 'capture_id'], required: true },
    { names: ['selected_text', 'selection', 'input', 'text'], required: false },
  ],
}

/** Removes competing keys, and adds the valid one if a required key is missing. */
export function settled(
  one: Operation,
  given: Record<string, unknown>,
  first?: string,
): Record<string, unknown> {
  const values = withoutConflicts(one, given, first)
  for (const { names, required } of EITHER[one.id] ?? []) {
    if (required && presentIn(names, values).length === 0) Object.assign(values, pick(validBody(one), names))
  }
  return values
}

const presentIn = (names: string[], values: Record<string, unknown>) =>
  names.filter((name) => values[name] !== undefined && values[name] !== null)

/** Keeps the first of the keys that exclude each other, or the named one. */
function withoutConflicts(
  one: Operation,
  given: Record<string, unknown>,
  first?: string,
): Record<string, unknown> {
  const values = { ...given }
  for (const { names } of EITHER[one.id] ?? []) {
    const present = presentIn(names, values)
    const kept = present.find((name) => name === first) ?? present[0]
    for (const name of present) if (name !== kept) delete values[name]
  }
  if ('timestamp_granularities[]' in values) values.response_format = 'verbose_json'
  // Events contain JSON.
  if (values.stream === true && one.id === 'transcribe') delete values.response_format
  return values
}

const pick = (values: object, names: string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))

/** Fields that a form of this operation requires besides the one under test. */
export const neededFields = ({ id }: Operation): [string, string][] =>
  /^create(OpenAi|Azure)Translation$/.test(id) ? [['model', MULTILINGUAL]] : []

export const fileOf = ({ id }: Operation): File => (id === 'importModel' ? modelFile() : silentWav())

export const JSON_TYPE = { 'content-type': 'application/json' }

export const texts = (values: object): [string, string][] =>
  Object.entries(values).flatMap(([name, value = null]) =>
    (Array.isArray(value) ? value : value === null ? [] : [value]).map((part): [string, string] => [
      name,
      typeof part === 'object' ? JSON.stringify(part) : String(part),
    ]),
  )

type Sent = { headers?: Record<string, string>; body?: BodyInit }

/** The body of a request with these values, and its headers. */
function bodyWith(one: Operation, mediaType: string | null, values: object): Sent {
  if (mediaType === null) return {}
  if (isFile(one, mediaType)) return { headers: { 'content-type': mediaType }, body: FILES[mediaType]! }
  if (mediaType === 'application/json') return { headers: JSON_TYPE, body: JSON.stringify(values) }
  if (mediaType !== 'multipart/form-data')
    return { headers: { 'content-type': 'audio/wav' }, body: silentWav() }
  const given = new Set(Object.keys(values))
  const needed = neededFields(one).filter(([name]) => !given.has(name))
  return { body: formWith([...needed, ...texts(values)], fileOf(one)) }
}

/** A text body of any type. */
export const isFile = ({ bodies }: Operation, mediaType: string): boolean =>
  mediaType in FILES && bodies.some((body) => body.mediaType === mediaType && body.schema.type === 'string')

/** The smallest query and body with which an operation works. */
export const leastInput = (one: Operation) => ({
  query: parametersIn(one, 'query')
    .filter(({ required }) => required)
    .map(({ name, schema }): [string, string] => [name, String(schema.enum?.[0] ?? schema.const)]),
  ...bodyWith(one, one.bodies[0]?.mediaType ?? null, validBody(one)),
})

export type ValidInput = { query: [string, string][] } & Sent

/** Valid queries and bodies for each media type of the operation. */
export function inputsOf(document: ApiDocument, one: Operation): fc.Arbitrary<ValidInput> {
  const generator = createGenerator(document, meaningfulOf(one))
  const parameters = parametersIn(one, 'query')
  const query = generator.recordOf(
    Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    parameters.filter(({ required }) => required).map(({ name }) => name),
  )
  const bodies = one.bodies.filter(({ mediaType }) => !/^(video\/|application\/o)/.test(mediaType))
  const sent = bodies.map(({ mediaType, schema }) =>
    valuesOf(document, one, schema).map((values) =>
      // If a form is accepted besides JSON, its file replaces several keys.
      bodyWith(
        one,
        mediaType,
        mediaType === 'multipart/form-data' ? withoutConflicts(one, values) : settled(one, values),
      ),
    ),
  )
  return fc.tuple(query, sent.length === 0 ? fc.constant({}) : fc.oneof(...sent)).map(([values, body]) => ({
    query: texts(saidInQuery(one, values)),
    ...body,
  }))
}

function saidInQuery({ id }: Operation, values: Record<string, unknown>): object {
  if (id === 'getStatistics') return withOneSpan(values)
  // The two depend on each other, and one of them may be in the form.
  const { stream: _stream, response_format: _format, ...rest } = values
  return id === 'transcribe' ? rest : values
}

function valuesOf(
  document: ApiDocument,
  one: Operation,
  given: Schema,
): fc.Arbitrary<Record<string, unknown>> {
  const schema = document.resolve(given)
  if (schema.type !== 'object') return fc.constant({})
  const { properties = {}, required = [], minProperties = 0 } = schema
  // The file is added when the form is sent.
  const { file: _file, ...rest } = properties
  const keys = required.filter((name) => name !== 'file')
  return createGenerator(document, meaningfulOf(one))
    .recordOf(rest, keys)
    .filter((made) => Object.keys(made).length >= minProperties) as fc.Arbitrary<Record<string, unknown>>
}

/** Rules that only descriptions state: either a period or a span, and a limited length. */
function withOneSpan({ period, since, until, ...rest }: Record<string, unknown>): object {
  if (period !== undefined) return { ...rest, period }
  const isLate = since !== undefined && Date.parse(String(since)) > Date.now() - 3600 * 86_400_000
  if (isLate) return { ...rest, since }
  return until === undefined ? rest : { ...rest, until }
}
