// Creates the unfinished work of the upgrade test's folder: waiting and running jobs, batches, a live recording.
// The engine is stopped (SIGSTOP) meanwhile, so that running jobs stay unfinished until the server is killed.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { childrenOf, roleOf } from '../support/children.ts'
import { openLive, spokenIn } from '../support/live.ts'
import type { RunningServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { type Client, type Json, workIsOver } from './client.ts'
import { CLIPS, type Named } from './make-captures.ts'
import type { Taught } from './make-taught.ts'

/** Ended batches: one with several outcomes, one canceled, one of deletions. */
export async function makeBatches(client: Client, named: Named): Promise<Named> {
  const { get, post, remove, upload } = client
  const ids = [named.plain, named.unrefined, named.trashed, named.failed, named.withoutAudio]
  const unknown = '019a0000-0000-7000-8000-000000000000'
  const finished = await post('/captures/retranscribe', { ids: [...ids, unknown], model: 'tiny.en' })
  await workIsOver(client)
  const doomed = await upload(CLIPS.silence, {}, { wait: false })
  const deletions = await post('/captures/delete', { ids: [doomed] })
  await workIsOver(client)
  const canceled = await post('/captures/retranscribe', {
    filter: { status: 'completed' },
    model: 'tiny.en',
    keep_refined: true,
  })
  await remove(`/jobs/batches/${canceled.batch_id}`)
  await workIsOver(client)
  const { state } = await get(`/jobs/batches/${canceled.batch_id}`)
  if (state !== 'canceled') throw new Error(`the canceled batch is ${state}`)
  return {
    finishedBatch: finished.batch_id,
    canceledBatch: canceled.batch_id,
    deletionBatch: deletions.batch_id,
  }
}

type Making = { server: RunningServer; client: Client; taught: Taught }

export type Unfinished = { named: Named; jobs: Json[] }

/** Kills the server during its work. @returns all jobs as they were just before */
export async function makeUnfinished({ server, client, taught }: Making): Promise<Unfinished> {
  const { upload, post, patch } = client
  const inBatch: string[] = []
  for (let count = 0; count < 4; count++)
    inBatch.push(await upload(CLIPS.human, { title: `In a batch ${count}` }))
  const promised = await upload(CLIPS.light, { title: 'To be retranscribed' })
  await patch(`/captures/${promised}`, { transcript_refined: 'A text that a person wrote.' })
  const refining = await upload(CLIPS.hesitating, { title: 'To be refined' })
  const canceledLater = await upload(CLIPS.call, { title: 'Retranscription cancelled' })
  const doomed: string[] = []
  for (let count = 0; count < 6; count++) doomed.push(await discard(client))

  const batch = await post('/captures/retranscribe', { ids: inBatch, model: 'tiny.en', key: 'nightly' })
  const engines = await stopEngineAfterFirst(server, client, batch.batch_id)
  try {
    const retranscription = { model: 'tiny.en', language: 'en', keep_refined: true }
    await post(`/captures/${promised}/retranscribe?wait=false`, retranscription)
    const running = await upload(CLIPS.weather, { title: 'Running', language: 'en' }, { wait: false })
    const waitingFields = { title: 'Waiting', refine: 'false', app_name: 'Zoom', source: 'recording' }
    const waiting = await upload(CLIPS.cut, waitingFields, { wait: false })
    const trashedRunning = await upload(CLIPS.cut, { title: 'Trashed before its text' }, { wait: false })
    await post(`/captures/${trashedRunning}/trash`)
    const last = await upload(CLIPS.call, { title: 'Last', writing_style_id: taught.style }, { wait: false })
    const styled = { writing_style_id: taught.style, flags: { smart_cleanup: false } }
    await post(`/captures/${refining}/refine?wait=false`, styled)
    await post(`/captures/${canceledLater}/retranscribe?wait=false`, { model: 'tiny.en' })
    await post(`/captures/${canceledLater}/cancel`)
    await beginLive(server, client)
    const { items: jobs } = await client.get('/jobs?limit=200')
    const deletions = await post('/captures/delete', { ids: doomed })
    await server.kill()
    const named = {
      ...{ promised, running, waiting, trashedRunning, last, refining, canceledLater },
      ...Object.fromEntries(inBatch.map((id, index) => [`inBatch${index}`, id])),
      runningBatch: batch.batch_id,
      runningDeletions: deletions.batch_id,
    }
    return { named, jobs }
  } finally {
    for (const pid of engines) process.kill(pid, 'SIGKILL')
  }
}

async function discard({ url, token }: Client): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'audio/flac' }
  const body = Bun.file(join(import.meta.dir, '..', CLIPS.silence))
  const sent = await fetch(`${url}/captures?discarded=true`, { method: 'POST', headers, body })
  return ((await sent.json()) as Json).id
}

/** Stops the engine when the batch has completed some items, but not all. */
async function stopEngineAfterFirst(
  server: RunningServer,
  { get }: Client,
  batchId: string,
): Promise<number[]> {
  await until(async () => (await get(`/jobs/batches/${batchId}`)).completed > 0, {
    what: 'the batch to begin',
  })
  const engines = childrenOf(server.pid).filter((pid) => roleOf(pid) === 'engine')
  for (const pid of engines) process.kill(pid, 'SIGSTOP')
  const { completed, waiting, queued } = await get(`/jobs/batches/${batchId}`)
  console.log({ completed, queued, waiting })
  if (waiting === 0) throw new Error('the batch was too fast; run this again')
  return engines
}

/** Sends a live recording until its first seconds are on the disk. */
async function beginLive({ url, dataFolder }: RunningServer, { token }: Client): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const query = { keep: 'true', language: 'en' }
  const live = await openLive(url, { headers, query })
  const spoken = await spokenIn('short-13.flac')
  live.send(spoken)
  const incoming = join(dataFolder, 'incoming')
  await until(async () => {
    const names = (await readdir(incoming)).filter((name) => name.endsWith('.live'))
    return names.some((name) => Bun.file(join(incoming, name)).size >= spoken.byteLength)
  })
  live.closed.catch(() => {})
}
