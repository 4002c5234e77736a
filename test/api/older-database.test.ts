// An older database is put back under newer files, as from a backup: what was deleted of captures stays deleted, what was
// changed stays changed, what was cancelled stays cancelled; an empty one is filled with the library's copy as well. The
// real server, killed in between, seen through its API alone.

import { expect, test } from 'bun:test'
import { cp, readFile, rename, rm } from 'node:fs/promises'
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
  const library: Json = {}
  for (const path of ['/dictionary', '/writing-styles', '/commands?source=saved', '/settings/captures'])
    library[path] = await get(path)
  for (const path of ['/captures/stats?period=all', '/captures/apps']) library[path] = await get(path)
  return withoutUses({ captures: { kept, trashed, details, unfinished }, batches, library })
}

/** Something of every kind, and work that goes on while the server is killed. */
async function makeState({ upload, post, patch }: Client) {
  const silence = () => upload('nothing-silence.flac', true)
  const captures = {
    removed: await silence(),
    removedByBatch: await silence(),
    edited: await upload('short-17.flac', true),
    trashed: await silence(),
    restored: await upload('short-23.flac', true),
    heardAgain: await upload('paragraph-1.flac', true),
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
  const unheard = await upload('long-3-minutes.flac', false)
  await post(`/captures/${captures.heardAgain}/retranscribe?wait=false`, { model: 'tiny.en' })
  const { batch_id: batch } = await post('/captures/retranscribe', { ids: [unheard], model: 'tiny.en' })
  return { captures: { ...captures, unheard }, words, styles, commands, batch: batch as string }
}
type State = Awaited<ReturnType<typeof makeState>>

/** All of it cancelled, deleted or changed; the id of a capture that is new. */
async function changeAll(
  { get, post, put, patch, remove, upload }: Client,
  { captures, words, styles, commands, batch }: State,
): Promise<string> {
  await post(`/captures/${captures.unheard}/cancel`)
  await post(`/captures/${captures.heardAgain}/cancel`)
  await remove(`/jobs/batches/${batch}`)
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

/** Until the copy holds the last change of the library. */
const copied = (dataFolder: string, typingWpm: number) =>
  until(async () => {
    const copy = JSON.parse(await readFile(join(dataFolder, 'library.json'), 'utf8'))
    return copy.settings.typingWpm === typingWpm
  })

test.skipIf(databaseKind === 'external')(
  'an older database under newer files undoes nothing that a person did since, and neither does an empty one',
  async () => {
    await using folder = await createTestFolder()
    const { dataFolder } = folder
    const database = join(dataFolder, 'postgres-18')
    const older = join(dataFolder, 'older')

    await using first = await startServer({ dataFolder })
    const state = await makeState(clientOf(first))
    await copied(dataFolder, 60)
    await first.kill()
    await cp(database, older, { recursive: true })

    await using second = await startServer({ dataFolder })
    const made = await changeAll(clientOf(second), state)
    const seen = await everythingSeen(clientOf(second))
    expect(seen.captures.kept.items.map(({ id }: Json) => id)).toContain(made)
    expect(await clientOf(second).get('/commands/history')).toEqual(NONE)
    await copied(dataFolder, 70)
    await second.kill()
    await rm(database, { recursive: true })
    await rename(older, database)

    await using third = await startServer({ dataFolder })
    // The older database is the truth about what the user taught and set.
    const { batches, captures } = await everythingSeen(clientOf(third))
    expect(captures.unfinished).toEqual([NONE, NONE])
    expect(batches).toEqual([{ id: state.batch, state: 'canceled' }])
    expect(captures).toEqual(seen.captures)
    await third.kill()
    await rm(database, { recursive: true })

    await using fourth = await startServer({ dataFolder })
    expect(await everythingSeen(clientOf(fourth))).toEqual({ ...seen, batches: [] })
  },
  300_000,
)
