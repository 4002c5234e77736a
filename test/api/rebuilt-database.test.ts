// The database is removed while the server is stopped: the next start rebuilds it from the files, and the API returns the same
// as before.

import { expect, test } from 'bun:test'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Json = any

function clientOf({ url }: RunningServer) {
  async function send(method: string, path: string, body?: unknown): Promise<Json> {
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
    get: (path: string) => send('GET', path),
    post: (path: string, body?: unknown) => send('POST', path, body),
    put: (path: string, body?: unknown) => send('PUT', path, body),
    patch: (path: string, body: unknown) => send('PATCH', path, body),
    remove: (path: string) => send('DELETE', path),
    async upload(recording: string, wait: boolean): Promise<string> {
      const form = new FormData()
      form.set('file', new File([await recordingFile(recording).arrayBuffer()], recording))
      const response = await fetch(`${url}/captures?wait=${wait}`, { method: 'POST', body: form })
      return ((await response.json()) as Json).id
    },
  }
}
type Client = ReturnType<typeof clientOf>

/** Usage counts exist only in the database. */
const withoutUses = (answer: Json): Json =>
  JSON.parse(
    JSON.stringify(answer, (key, value) =>
      ['usage_count', 'last_used_at'].includes(key) ? undefined : value,
    ),
  )

/** Everything that the user sees of deleted, changed and cancelled items. */
async function everythingSeen({ get }: Client): Promise<Json> {
  const lists = ['/captures?limit=100', '/captures?limit=100&trashed=true']
  const [kept, trashed] = await Promise.all(lists.map(get))
  const details: Json = {}
  for (const { id } of [...kept.items, ...trashed.items])
    details[id] = [await get(`/captures/${id}`), await get(`/captures/${id}/versions`)]
  const unfinished = [await get('/jobs?state=waiting'), await get('/jobs?state=active')]
  const others: Json = {}
  for (const path of ['/dictionary', '/writing-styles', '/commands?source=saved', '/settings/captures'])
    others[path] = await get(path)
  for (const path of ['/commands/history', '/captures/stats?period=all', '/captures/apps'])
    others[path] = await get(path)
  return withoutUses({ kept, trashed, details, unfinished, ...others })
}

/** One item of every kind, and work in progress when the server is killed. */
async function makeState({ upload, post, patch }: Client) {
  const silence = () => upload('nothing-silence.flac', true)
  const captures = {
    removed: await silence(),
    removedByBatch: await silence(),
    edited: await upload('short-17.flac', true),
    trashed: await silence(),
    restored: await upload('short-23.flac', true),
    retranscribed: await upload('paragraph-1.flac', true),
  }
  await post(`/captures/${captures.restored}/trash`)
  await patch(`/captures/${captures.edited}`, { title: 'Before', starred: true })
  const ids = async (path: string, bodies: object[]): Promise<string[]> => {
    const made = []
    for (const body of bodies) made.push((await post(path, body)).id)
    return made
  }
  const words = await ids('/dictionary', [{ word: 'Kubernetes' }, { word: 'Zürich' }])
  const styles = await ids('/writing-styles', [{ name: 'Minutes' }, { name: 'Diary' }])
  const steps = ['remove empty lines', 'upper case']
  const commands = await ids('/commands', [
    { name: 'Tidy my notes', triggers: ['tidy my notes'], steps },
    { name: 'Mend my lines', triggers: ['mend my lines'], steps },
  ])
  await post('/commands/run', { command: 'upper case', selected_text: 'a secret' })
  await patch('/settings/captures', { typing_wpm: 60, trash_days: 20 })
  const pending = await upload('long-3-minutes.flac', false)
  await post(`/captures/${captures.retranscribed}/retranscribe?wait=false`, { model: 'tiny.en' })
  return { captures: { ...captures, pending }, words, styles, commands }
}
type State = Awaited<ReturnType<typeof makeState>>

/** Cancels, deletes or changes all of it; returns the id of a new capture. */
async function changeAll(
  { get, post, put, patch, remove, upload }: Client,
  { captures, words, styles, commands }: State,
): Promise<string> {
  await post(`/captures/${captures.pending}/cancel`)
  await post(`/captures/${captures.retranscribed}/cancel`)
  await remove(`/captures/${captures.removed}`)
  await post('/captures/delete', { ids: [captures.removedByBatch] })
  await patch(`/captures/${captures.edited}`, { title: 'After', starred: false })
  await patch(`/captures/${captures.edited}/segments/0`, { text: 'What is the weather in Turin tomorrow?' })
  await post(`/captures/${captures.trashed}/trash`)
  await post(`/captures/${captures.restored}/restore`)
  await remove(`/dictionary/${words[0]}`)
  await patch(`/dictionary/${words[1]}`, { aliases: ['zurick'] })
  await remove(`/writing-styles/${styles[0]}`)
  await put(`/writing-styles/${styles[1]}/default`)
  await remove(`/commands/${commands[0]}`)
  const calm = { name: 'Calm my lines', triggers: ['calm my lines'], steps: ['lower case'] }
  await put(`/commands/${commands[1]}`, calm)
  await remove('/commands/history')
  await patch('/settings/captures', { typing_wpm: 70, trash_days: 10 })
  const isOver = ({ state }: Json) => state !== 'running'
  await until(async () => (await get('/jobs/batches')).items.every(isOver), {
    timeoutMs: 60_000,
    what: 'the batches to end',
  })
  return upload('short-13.flac', true)
}

const NONE = { items: [], total: 0 }

/** Waits until the copy contains the last change of the library. */
const copied = (dataFolder: string, typingWpm: number) =>
  until(async () => {
    const copy = JSON.parse(await readFile(join(dataFolder, 'library.json'), 'utf8'))
    return copy.settings.typingWpm === typingWpm
  })

test.skipIf(databaseKind === 'external')(
  'a start without a database restores everything that the user deleted, changed and cancelled',
  async () => {
    await using folder = await createTestFolder()
    const { dataFolder } = folder

    await using first = await startServer({ dataFolder })
    const state = await makeState(clientOf(first))
    await copied(dataFolder, 60)
    await first.kill()

    await using second = await startServer({ dataFolder })
    const made = await changeAll(clientOf(second), state)
    const { batches: _gone, ...seen } = await everythingSeen(clientOf(second))
    expect(seen.kept.items.map(({ id }: Json) => id)).toContain(made)
    expect(seen['/commands/history']).toEqual(NONE)
    expect(await second.stop()).toBe(0)
    await rm(join(dataFolder, 'postgres-18'), { recursive: true })

    await using third = await startServer({ dataFolder })
    const { batches: _none, ...seenAgain } = await everythingSeen(clientOf(third))
    expect(seenAgain).toEqual(seen)
    expect(seenAgain.unfinished).toEqual([NONE, NONE])
  },
  300_000,
)
