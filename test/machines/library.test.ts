// Two real servers on one real Postgres change the same captures, dictionary, styles and settings at once.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createRandom } from '../support/random.ts'
import type { RunningServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { createOneDatabase, isPostgresInstalled, type OneDatabase } from '../support/two-servers.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(240_000)

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Json = any

const withPostgres = test.skipIf(!(await isPostgresInstalled()))

let database: OneDatabase
let servers: [RunningServer, RunningServer]

beforeAll(async () => {
  if (!(await isPostgresInstalled())) return
  database = await createOneDatabase()
  servers = [await database.server(), await database.server()]
})
afterAll(() => database?.[Symbol.asyncDispose]())

async function call({ url }: RunningServer, method: string, path: string, body?: object): Promise<Json> {
  const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(`${url}${path}`, { method, ...sent })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? null : response.json()
}

/** Runs the work on both servers side by side. */
const onBoth = <T>(work: (server: RunningServer, index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(servers.map(work))

const range = (length: number) => Array.from({ length }, (_, index) => index)

withPostgres('holds on one server what was taught on the other', async () => {
  const [one, other] = servers
  const entry = await call(one, 'POST', '/dictionary', { word: 'Kubernetes' })
  await until(async () =>
    (await call(other, 'GET', '/dictionary')).items.some(({ id }: Json) => id === entry.id),
  )
  const style = await call(other, 'POST', '/writing-styles', { name: 'Letters' })
  await until(async () =>
    (await call(one, 'GET', '/writing-styles')).items.some(({ id }: Json) => id === style.id),
  )
  await call(one, 'PATCH', '/settings/captures', { typing_wpm: 61 })
  await until(async () => (await call(other, 'GET', '/settings/captures')).typing_wpm === 61)
  const command = { name: 'Shout', triggers: ['shout it'], instructions: 'Use capitals.' }
  const saved = await call(other, 'POST', '/commands', command)
  await until(async () => (await call(one, 'GET', '/commands')).items.some(({ id }: Json) => id === saved.id))
})

withPostgres('loses no answered change of the dictionary, styles and settings', async () => {
  const CHANGES = 25
  await onBoth(async (server, index) => {
    const own = (number: number) => `${index}-${number}`
    for (const number of range(CHANGES)) {
      await Promise.all([
        call(server, 'POST', '/dictionary', { word: `word${own(number)}` }),
        call(server, 'POST', '/writing-styles', { name: `style ${own(number)}` }),
        call(
          server,
          'PATCH',
          '/settings/captures',
          index === 0 ? { trash_days: number } : { typing_wpm: 100 + number },
        ),
      ])
    }
  })
  await onBoth(async (server) => {
    const words = async () =>
      new Set((await call(server, 'GET', '/dictionary?limit=200')).items.map((one: Json) => one.word))
    const names = async () =>
      new Set((await call(server, 'GET', '/writing-styles?limit=200')).items.map((one: Json) => one.name))
    const all = servers.flatMap((_, index) => range(CHANGES).map((number) => `${index}-${number}`))
    await until(async () => (await words()).isSupersetOf(new Set(all.map((one) => `word${one}`))))
    await until(async () => (await names()).isSupersetOf(new Set(all.map((one) => `style ${one}`))))
    await until(async () => {
      const { trash_days: days, typing_wpm: wpm } = await call(server, 'GET', '/settings/captures')
      return days === CHANGES - 1 && wpm === 100 + CHANGES - 1
    })
  })
})

withPostgres('loses no answered change of a capture', async () => {
  const form = new FormData()
  form.set('file', new File([await recordingFile('short-17.flac').arrayBuffer()], 'note.flac'))
  const made = await fetch(`${servers[0].url}/captures?wait=true`, { method: 'POST', body: form })
  const { id } = (await made.json()) as Json
  const ROUNDS = 60
  const random = createRandom(20_261_127)
  const lasts = await onBoth(async (server, index) => {
    let last: unknown
    for (const number of range(ROUNDS)) {
      const text = `${index} ${number} ${random()}`
      const patch = index === 0 ? { title: text } : { transcript_refined: text }
      last = await call(server, 'PATCH', `/captures/${id}`, patch)
    }
    return last as Json
  })
  const capture = await call(servers[1], 'GET', `/captures/${id}`)
  expect(capture).toMatchObject({
    title: lasts[0].title,
    transcript_refined: lasts[1].transcript_refined,
  })
})

withPostgres('adds up the uses that both servers count', async () => {
  const [one] = servers
  const entry = await call(one, 'POST', '/dictionary', { word: 'dictation', replacement: 'rotation' })
  await until(async () =>
    (await call(servers[1], 'GET', '/dictionary?limit=200')).items.some(({ id }: Json) => id === entry.id),
  )
  const USES = 5
  await onBoth(async (server) => {
    for (const _ of range(USES)) {
      const form = new FormData()
      form.set('file', new File([await recordingFile('short-01.flac').arrayBuffer()], 'note.flac'))
      await fetch(`${server.url}/transcribe`, { method: 'POST', body: form })
    }
  })
  const stored = async () => {
    const [row] = await database.sql`select usage_count from dictionary_entries where id = ${entry.id}`
    return row!.usage_count as number
  }
  await until(async () => (await stored()) === 2 * USES, { what: 'both counts' })
})
