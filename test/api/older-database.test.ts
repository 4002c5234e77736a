// An older database is put back under newer files, as from a backup: what was deleted stays deleted, what was changed
// stays changed, what was cancelled stays cancelled. The real server, killed in between, seen through its API alone.

import { expect, test } from 'bun:test'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Json = any

function clientOf({ url }: RunningServer) {
  async function ask(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }
  return {
    get: (path: string) => ask('GET', path),
    post: (path: string, body?: unknown) => ask('POST', path, body),
    put: (path: string, body?: unknown) => ask('PUT', path, body),
    patch: (path: string, body: unknown) => ask('PATCH', path, body),
    remove: (path: string) => ask('DELETE', path),
    async upload(recording: string, wait: boolean): Promise<string> {
      const form = new FormData()
      form.set('file', new File([await recordingFile(recording).arrayBuffer()], recording))
      const response = await fetch(`${url}/captures?wait=${wait}`, { method: 'POST', body: form })
      return ((await response.json()) as Json).id
    },
  }
}
type Client = ReturnType<typeof clientOf>

/** What was counted of uses is lost with the database that counted. */
const withoutUses = (answer: Json): Json =>
  JSON.parse(
    JSON.stringify(answer, (key, value) =>
      ['usage_count', 'last_used_at'].includes(key) ? undefined : value,
    ),
  )

/** All that a person can see of what they have deleted, changed and cancelled. */
async function everythingSeen({ get }: Client): Promise<Json> {
  const lists = ['/captures?limit=100', '/captures?limit=100&trashed=true']
  const [kept, trashed] = await Promise.all(lists.map(get))
  const details: Json = {}
  for (const { id } of [...kept.items, ...trashed.items])
    details[id] = [await get(`/captures/${id}`), await get(`/captures/${id}/versions`)]
  const batches = (await get('/jobs/batches')).items.map(({ id, state }: Json) => ({ id, state }))
  const unfinished = [await get('/jobs?state=waiting'), await get('/jobs?state=active')]
  const others: Json = {}
  for (const path of ['/dictionary', '/writing-styles', '/commands?source=saved', '/settings/captures'])
    others[path] = await get(path)
  for (const path of ['/commands/history', '/captures/stats?period=all', '/captures/apps'])
    others[path] = await get(path)
  return withoutUses({ kept, trashed, details, batches, unfinished, ...others })
}

const STYLE = { tone: 'formal', rules: { trailing_period: 'add' } }

test.skipIf(databaseKind === 'external')(
  'an older database under newer files undoes nothing that a person did since',
  async () => {
    await using folder = await createTestFolder()
    const { dataFolder } = folder
    const database = join(dataFolder, 'postgres-18')
    const older = join(dataFolder, 'older')

    await using first = await startServer({ dataFolder })
    const before = clientOf(first)
    const upload = (recording = 'short-09.flac') => before.upload(recording, true)
    const removed = await upload()
    const removedByBatch = await upload('short-14.flac')
    const edited = await upload('short-17.flac')
    const trashed = await upload('short-22.flac')
    const restored = await upload('short-23.flac')
    const long = await upload('paragraph-1.flac')
    await before.post(`/captures/${restored}/trash`)
    await before.patch(`/captures/${edited}`, { title: 'Before', starred: true })
    const words = []
    for (const word of ['Kubernetes', 'Zürich']) words.push((await before.post('/dictionary', { word })).id)
    const styles = []
    for (const name of ['Minutes', 'Diary'])
      styles.push((await before.post('/writing-styles', { ...STYLE, name })).id)
    const commands = []
    for (const name of ['Tidy my notes', 'Mend my lines']) {
      const command = { name, triggers: [name], steps: ['remove empty lines', 'upper case'] }
      commands.push((await before.post('/commands', command)).id)
    }
    await before.post('/commands/run', { command: 'upper case', selected_text: 'a secret' })
    await before.patch('/settings/captures', { typing_wpm: 60, trash_days: 20 })
    // On these the server works when it is killed.
    const unheard = await before.upload('long-3-minutes.flac', false)
    await before.post(`/captures/${long}/retranscribe?wait=false`, { model: 'tiny.en' })
    const batch = await before.post('/captures/retranscribe', { ids: [unheard], model: 'tiny.en' })
    await first.kill()
    await cp(database, older, { recursive: true })

    await using second = await startServer({ dataFolder })
    const since = clientOf(second)
    await since.post(`/captures/${unheard}/cancel`)
    await since.post(`/captures/${long}/cancel`)
    await since.remove(`/jobs/batches/${batch.batch_id ?? batch.id}`)
    await since.remove(`/captures/${removed}`)
    await since.post('/captures/delete', { ids: [removedByBatch] })
    await since.patch(`/captures/${edited}`, { title: 'After', starred: false })
    await since.patch(`/captures/${edited}/segments/0`, { text: 'What is the weather in Turin tomorrow?' })
    await since.post(`/captures/${trashed}/trash`)
    await since.post(`/captures/${restored}/restore`)
    const made = await since.upload('short-13.flac', true)
    await since.remove(`/dictionary/${words[0]}`)
    await since.patch(`/dictionary/${words[1]}`, { aliases: ['zurick'] })
    await since.remove(`/writing-styles/${styles[0]}`)
    await since.put(`/writing-styles/${styles[1]}/default`)
    await since.remove(`/commands/${commands[0]}`)
    await since.put(`/commands/${commands[1]}`, {
      ...{ name: 'Calm my lines', triggers: ['calm my lines'], steps: ['lower case'] },
    })
    await since.remove('/commands/history')
    await since.patch('/settings/captures', { typing_wpm: 70, trash_days: 10 })
    await until(
      async () => (await since.get('/jobs/batches')).items.every(({ state }: Json) => state !== 'running'),
      {
        timeoutMs: 60_000,
        what: 'the batches to end',
      },
    )
    const seen = await everythingSeen(since)
    await second.kill()
    await rm(database, { recursive: true })
    await rename(older, database)

    await using third = await startServer({ dataFolder })
    const after = clientOf(third)
    const seenAgain = await everythingSeen(after)
    expect(seen.kept.items.map(({ id }: Json) => id)).toContain(made)
    expect(seen['/commands/history']).toMatchObject({ total: 0 })
    expect(seenAgain.unfinished).toEqual([
      { items: [], total: 0 },
      { items: [], total: 0 },
    ])
    // The batch that deleted was over, and only the database remembers what is over.
    const { batches: _all, ...rest } = seen
    const { batches: left, ...restAgain } = seenAgain
    expect(left).toEqual([{ id: batch.batch_id ?? batch.id, state: 'canceled' }])
    expect(restAgain).toEqual(rest)
  },
  300_000,
)
