// Requests counts and a sample of the captures in a folder from multiply.ts, without captures with unfinished work, which
// differ between two servers.

import { sha256 } from '../support/kept-view.ts'
import type { Scope } from './answers.ts'
import { type Answers, answersOfTaught } from './answers.ts'
import type { Client, Json } from './client.ts'
import { ofStatistics } from './exceptions.ts'

const SAMPLES = 100

export async function sampleOf(client: Client, scope: Scope): Promise<Answers> {
  return {
    ...(await counts(client)),
    ...(await captures(client, '')),
    ...(await captures(client, '&trashed=true')),
    ...(await answersOfTaught(client, scope)),
  }
}

const DONE = 'source=dictation'
const LISTS = [
  ...['', '&trashed=true', '&status=completed', '&status=failed', '&status=canceled', '&starred=true'],
  ...['&q=weather', '&q=%22the%20light%22', '&q=amiable', '&q=zuri', '&app=zoom', '&language=en'],
  ...['&sort=recorded_at', '&sort=-duration_ms'],
]

async function counts({ get }: Client): Promise<Answers> {
  const answers: Answers = {}
  for (const list of LISTS) {
    const { items, total } = await get(`/captures?${DONE}${list}&limit=50`)
    answers[`GET /captures?${DONE}${list}`] = { total, ids: items.map(({ id }: Json) => id) }
  }
  for (const list of ['', '&trashed=true'])
    answers[`GET /captures?limit=1${list}`] = (await get(`/captures?limit=1${list}`)).total
  answers['GET /captures/stats'] = ofStatistics(await get(`/captures/stats?${DONE}&tz=UTC`))
  // The group without an application contains the captures with unfinished work.
  const apps = (await get('/captures/apps?limit=200')).items.filter((app: Json) => app.app_name !== null)
  answers['GET /captures/apps'] = apps.map(({ percentage: _ofAll, ...app }: Json) => app)
  const { items } = await get('/jobs/batches?limit=200')
  answers['GET /jobs/batches'] = items.map(({ id, kind, state, total }: Json) => ({ id, kind, state, total }))
  return answers
}

/** A sample spread evenly over the list. */
async function captures({ get, send }: Client, list: string): Promise<Answers> {
  const { total } = await get(`/captures?${DONE}${list}&limit=1`)
  const step = Math.max(1, Math.floor(total / SAMPLES))
  const answers: Answers = {}
  for (let offset = 0; offset < total; offset += step) {
    const { items } = await get(`/captures?${DONE}${list}&sort=created_at&limit=1&offset=${offset}`)
    const path = `/captures/${items[0].id}`
    answers[`GET ${path}`] = await get(path)
    const versions = JSON.stringify(await get(`${path}/versions`))
    answers[`GET ${path}/versions`] = sha256(Buffer.from(versions))
    const audio = await send('GET', `${path}/audio`)
    answers[`GET ${path}/audio`] = audio.ok ? sha256(await audio.bytes()) : audio.status
  }
  return answers
}
