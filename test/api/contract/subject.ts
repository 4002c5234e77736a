// The running server that the contract test questions: its document, a client, something kept in it,
// and valid input for each of its operations.

import { expect } from 'bun:test'
import fc from 'fast-check'
import { BUILTIN_STYLES } from '../../../src/writing/builtin-styles.ts'
import { type RunningServer, startServer } from '../../support/server.ts'
import { createClient, type Received } from './client.ts'
import { type Operation, parametersIn, readDocument } from './document.ts'
import { createGenerator, type Meaningful } from './generate.ts'
import { formWith } from './recordings.ts'

/** What a schema cannot say: which of the texts of the right form mean something to this server. */
export const MEANINGFUL: Meaningful = {
  model: fc.constantFrom('tiny.en', 'whisper-tiny.en', 'tiny.en-q5_1'),
  stt_model: fc.constantFrom('tiny.en', 'whisper-tiny.en', 'tiny.en-q5_1'),
  language: fc.constantFrom('auto', 'en'),
  task: fc.constant('transcribe'),
  refine: fc.constant(false),
}

/** JSON bodies that would not be refused, to put one wrong value beside. */
export const VALID_BODIES: Record<string, object> = {
  updateCapture: { starred: true },
  createWritingStyle: { name: 'Minutes' },
  replaceWritingStyle: { name: 'Minutes' },
  updateWritingStyle: { description: 'For meetings' },
  previewWritingStyle: { text: 'um hello' },
  retranscribeCapture: {},
}

export const JSON_TYPE = { 'content-type': 'application/json' }

export const texts = (values: object): [string, string][] =>
  Object.entries(values).map(([name, value]) => [name, String(value)])

/** The body of a request with these values, and the headers it needs. */
export function bodyOf(
  { body }: Operation,
  values: object,
): { headers?: Record<string, string>; body?: BodyInit } {
  if (body === null) return {}
  if (body.mediaType === 'application/json') return { headers: JSON_TYPE, body: JSON.stringify(values) }
  return { body: formWith(texts(values)) }
}

/** A query and a body with which an operation works, and nothing that it does not need. */
export const leastInput = (one: Operation) => ({
  query: parametersIn(one, 'query')
    .filter(({ required }) => required)
    .map(({ name, schema }): [string, string] => [name, String(schema.enum?.[0])]),
  ...bodyOf(one, VALID_BODIES[one.id] ?? {}),
})

/** Refused as 422, and `errors` names the place, or one inside of it. */
export function expectFault(received: Received, place: string, path: string, what: string): void {
  expect([received.status, received.json?.code], what).toEqual([422, 'invalid_request'])
  const places = received.json.errors.map((fault: Record<string, string>) => `${fault.in} ${fault.path}`)
  const isNamed = (one: string) =>
    one === `${place} ${path}` || (path !== '' && one.startsWith(`${place} ${path}/`))
  expect(places.some(isNamed), `${what}: ${places} should name ${place} ${path}`).toBe(true)
}

/** One that is not the default at first. */
const BUILT_IN_STYLE = BUILTIN_STYLES[1]!.id

export type Subject = Awaited<ReturnType<typeof startSubject>>

/** Starts a server and keeps one capture of silence in it. */
export async function startSubject(env: Record<string, string>) {
  const server = await startServer({ env })
  try {
    return await question(server)
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function question(server: RunningServer) {
  const document = await readDocument(server.url)
  const client = createClient(server.url, document)
  const operation = (id: string): Operation => document.operations.find((one) => one.id === id)!
  const keep = async (wait = 'true') =>
    (await client.call(operation('createCapture'), { query: [['wait', wait]], body: formWith([]) })).json
  const jobOf = async (captureId: string): Promise<string> => {
    const jobs = await client.call(operation('listJobs'), { query: [['capture_id', captureId]] })
    return jobs.json.items[0].id
  }
  const newStyle = async () => {
    const body = JSON.stringify({ name: crypto.randomUUID() })
    return (await client.call(operation('createWritingStyle'), { headers: JSON_TYPE, body })).json
  }
  const kept = await keep()
  const keptJob = await jobOf(kept.id)

  return {
    ...{ server, document, client, operation, kept, keptJob },
    values: createGenerator(document, MEANINGFUL),
    styles: createGenerator(document, {
      url_patterns: fc.constant(['*.example.com/wiki']),
      stt_model: MEANINGFUL.stt_model!,
    }),
    queries: createGenerator(document, { tz: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu') }),

    /** The path values of something that is there; made for the purpose where the operation ends it. */
    async existing({ id, path }: Operation): Promise<Record<string, string>> {
      if (!path.includes('{id}')) return {}
      if (id === 'deleteCapture') return { id: (await keep('false')).id }
      if (id === 'cancelJob') return { id: await jobOf((await keep('false')).id) }
      if (id === 'deleteWritingStyle') return { id: (await newStyle()).id }
      if (path.startsWith('/writing-styles/')) return { id: BUILT_IN_STYLE }
      return { id: path.startsWith('/jobs/') ? keptJob : kept.id }
    },
  }
}

/** Valid query and body values. */
export function inputsOf(subject: Subject, one: Operation): fc.Arbitrary<{ query: object; body: object }> {
  const parameters = parametersIn(one, 'query')
  const query = subject.queries.recordOf(
    Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    parameters.filter(({ required }) => required).map(({ name }) => name),
  )
  const sensible = one.id === 'getStatistics' ? query.map(withOneSpan) : query
  return fc.record({ query: sensible, body: bodyValues(subject, one) })
}

/** What only descriptions say: a period or a span, and none of centuries. */
function withOneSpan({ period, since, until, ...rest }: Record<string, unknown>): object {
  if (period !== undefined) return { ...rest, period }
  const isLate = since !== undefined && Date.parse(String(since)) > Date.now() - 3600 * 86_400_000
  if (isLate) return { ...rest, since }
  return until === undefined ? rest : { ...rest, until }
}

function bodyValues(subject: Subject, { body, path }: Operation): fc.Arbitrary<object> {
  if (body === null) return fc.constant({})
  const { document } = subject
  // The language of a style is never automatic.
  const values = /^\/writing-styles(\/\{id\})?$/.test(path) ? subject.styles : subject.values
  const { properties = {}, required = [], minProperties = 0 } = document.resolve(body.schema)
  // There are no writing styles to choose from; a file is added to the form where it is sent.
  const { file: _file, writing_style_id: _style, ...rest } = properties
  const keys = required.filter((name) => name !== 'file')
  return values
    .recordOf(rest, keys)
    .filter((made) => Object.keys(made).length >= minProperties && !isTextStream(made))
}

/** What only the description of `stream` says: events carry JSON. */
const isTextStream = (values: Record<string, unknown>): boolean =>
  values.stream === true && ['text', 'srt', 'vtt'].includes(String(values.response_format))
