// Requests everything in a data folder over the server's API, so that the answers of two servers can be compared.
// exceptions.ts lists the fields that are left out.

import { sha256 } from '../support/kept-view.ts'
import { readZip } from '../support/zip.ts'
import type { Client, Json } from './client.ts'
import {
  ARRIVED,
  EXPORTS_OF_WORK_DONE,
  ofBatch,
  ofCapture,
  ofJobs,
  ofStatistics,
  ofStyle,
  ofVersions,
  type Work,
  withoutWording,
} from './exceptions.ts'

/** By request. */
export type Answers = Record<string, Json>

export type Scope = {
  work: Work
  /** the jobs that the folder knew when it was packed */
  jobIds: string[]
  /** captures that were deleted before */
  deletedIds: string[]
  /** statistics are requested for this span */
  since: string
  until: string
}

const EXPORTS = ['txt', 'md', 'srt', 'vtt', 'json']
const TEXTS = ['raw', 'refined']
const LONG_ANSWER = 20_000

const SEARCHES = [
  'q=weather',
  'q=%22the%20light%22',
  'q=helen',
  'q=zuri',
  'q=amiable',
  'q=%C3%A4rger',
  'app=zoom',
  'app=Notes',
  'starred=true',
  'status=completed',
  'status=failed',
  'status=canceled',
  'source=dictation',
  'language=en',
  'model=tiny.en-q5_1',
  'until=2024-12-31',
  'trashed=true&q=page',
  'sort=recorded_at',
  'sort=-created_at',
  'sort=-duration_ms',
]

/** Call it when no work is left. */
export async function answersOf(client: Client, scope: Scope): Promise<Answers> {
  const captures = await allCaptures(client)
  return {
    ...(await answersOfCaptures(client, captures, scope)),
    ...(await answersOfLists(client, captures, scope)),
    ...(await answersOfWork(client, captures, scope)),
    ...(await answersOfTaught(client, scope)),
    'POST /captures/export': await answerOfArchive(client),
  }
}

async function allCaptures({ get }: Client): Promise<Json[]> {
  const lists = await Promise.all(['', '&trashed=true'].map((more) => get(`/captures?limit=200${more}`)))
  return lists.flatMap(({ items }) => items)
}

const arrivedIn = (captures: Json[], { work }: Scope): string | null =>
  captures.find(({ audio_sha256: hash }) => hash === work.arrivingSha256)?.id ?? null

async function answersOfCaptures(client: Client, captures: Json[], scope: Scope): Promise<Answers> {
  const { work, deletedIds } = scope
  const arrived = arrivedIn(captures, scope)
  const answers: Answers = {}
  for (const { id } of captures) {
    const [path, name] = [`/captures/${id}`, `GET /captures/${id === arrived ? ARRIVED : id}`]
    answers[name] = ofCapture(await client.get(path), work)
    answers[`${name}/versions`] = shortened(ofVersions(await client.get(`${path}/versions`), id, work))
    answers[`${name}/audio`] = await digestOf(await client.send('GET', `${path}/audio`))
    answers[`${name}/waveform`] = await answerOf(await client.send('GET', `${path}/waveform?points=20`))
    const isWorkDone = work.captureIds.includes(id) || id === arrived
    for (const format of isWorkDone ? EXPORTS_OF_WORK_DONE : EXPORTS) {
      for (const text of TEXTS) {
        const query = `/export?format=${format}&text=${text}`
        const exported = await client.send('GET', `${path}${query}`)
        answers[`${name}${query}`] = await (format === 'json' ? digestOfExport : digestOf)(exported)
      }
    }
  }
  for (const id of deletedIds)
    answers[`GET /captures/${id}`] = (await client.send('GET', `/captures/${id}`)).status
  return answers
}

async function answersOfLists({ get }: Client, captures: Json[], scope: Scope): Promise<Answers> {
  const { since, until, work } = scope
  const arrived = arrivedIn(captures, scope)
  const nameOf = (id: string) => (id === arrived ? ARRIVED : id)
  const answers: Answers = {}
  for (const more of ['', '&trashed=true']) {
    const { items, total } = await get(`/captures?limit=200${more}`)
    const listed = items.map((capture: Json) => ofCapture(capture, work))
    answers[`GET /captures?limit=200${more}`] = { items: listed, total }
  }
  for (const search of SEARCHES) {
    const { items, total } = await get(`/captures?limit=200&${search}`)
    const found = items.map(({ id, highlight }: Json) => [nameOf(id), highlight])
    answers[`GET /captures?${search}`] = { found, total }
  }
  const span = `since=${since}&until=${until}&tz=UTC`
  for (const more of ['', '&app=zoom', '&source=dictation', '&source=recording'])
    answers[`GET /captures/stats?${span}${more}`] = ofStatistics(await get(`/captures/stats?${span}${more}`))
  answers['GET /captures/apps'] = await get('/captures/apps?limit=200')
  return answers
}

async function answersOfWork({ get }: Client, captures: Json[], scope: Scope): Promise<Answers> {
  const { work, jobIds } = scope
  const jobs = await get('/jobs?limit=200')
  const { items: batches } = await get('/jobs/batches?limit=200')
  const answers: Answers = {
    'GET /jobs?': ofJobs(jobs.items, jobIds, work, arrivedIn(captures, scope)),
    'GET /jobs/batches': batches.map((batch: Json) => ofBatch(batch, work)),
  }
  for (const { id } of batches)
    answers[`GET /jobs/batches/${id}`] = ofBatch(await get(`/jobs/batches/${id}`), work)
  return answers
}

export async function answersOfTaught({ get, post, send }: Client, { work }: Scope): Promise<Answers> {
  const answers: Answers = {}
  for (const path of ['/dictionary?limit=200', '/commands?source=saved', '/commands/history?limit=200'])
    answers[`GET ${path}`] = await get(path)
  for (const format of ['json', 'csv', 'txt'])
    answers[`GET /dictionary/export?format=${format}`] = await digestOf(
      await send('GET', `/dictionary/export?format=${format}`),
    )
  const styles = await get('/writing-styles?limit=200')
  answers['GET /writing-styles'] = styles.items.map((style: Json) => ofStyle(style, work))
  answers['GET /writing-styles/match'] = (await get('/writing-styles/match?app=Zoom')).style?.id ?? null
  answers['POST /dictionary/test'] = await post('/dictionary/test', {
    text: 'Helen has ticket 12 for my address at winter tour asap',
  })
  answers['GET /settings/captures'] = await get('/settings/captures')
  return answers
}

/** Names and hashes of the files in the archive; the names contain the time of recording. */
async function answerOfArchive({ send }: Client): Promise<Json> {
  const body = { filter: { since: '1970-01-01' }, format: 'txt', audio: true }
  const archive = readZip(await (await send('POST', '/captures/export', body)).bytes())
  return archive.map(({ name, bytes }) => [name, sha256(bytes)])
}

const shortened = (answer: Json): Json => {
  const text = JSON.stringify(answer)
  return text.length > LONG_ANSWER ? { sha256: sha256(Buffer.from(text)) } : answer
}

const digestOf = async (response: Response): Promise<Json> =>
  response.ok ? sha256(await response.bytes()) : answerOf(response)

/** Fields of a capture that versions after expected.json have added; an older capture has the empty value. */
const LATER_FIELDS = { tags: [] }

async function digestOfExport(response: Response): Promise<Json> {
  const capture = (await response.json()) as Json
  for (const [name, value] of Object.entries(LATER_FIELDS))
    if (Bun.deepEquals(capture[name], value)) delete capture[name]
  return sha256(Buffer.from(JSON.stringify(capture, null, 2)))
}

async function answerOf(response: Response): Promise<Json> {
  const answer = (await response.json()) as Json
  return response.ok ? answer : { status: response.status, code: answer.code, detail: answer.detail }
}

/** @returns a line for each request whose answers differ, with the first difference; a later version may add fields */
export function differences(expected: Answers, found: Answers): string[] {
  const requests = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  return requests.flatMap((request) => {
    const difference = firstDifference(withoutWording(expected[request]), withoutWording(found[request]))
    return difference === null ? [] : [`${request} ${difference}`]
  })
}

function firstDifference(expected: Json, found: Json, path = ''): string | null {
  if (Bun.deepEquals(expected, found)) return null
  const isComposite = (value: Json) => typeof value === 'object' && value !== null
  if (!isComposite(expected) || !isComposite(found) || Array.isArray(expected) !== Array.isArray(found))
    return `${path}: expected ${cut(expected)}, found ${cut(found)}`
  if (Array.isArray(expected) && expected.length !== found.length)
    return `${path}: expected ${expected.length} items, found ${found.length}`
  for (const name of Object.keys(expected)) {
    const difference = firstDifference(expected[name], found[name], `${path}/${name}`)
    if (difference !== null) return difference
  }
  return null
}

const SHOWN = 400
const cut = (value: Json): string => (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN)
