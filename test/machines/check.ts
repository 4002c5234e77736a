// The checker: compares what the clients know with what the cluster has at the end, and says each broken promise.

import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sha256 } from '../support/kept-view.ts'
import { until } from '../support/until.ts'
import { type Cluster, current, type Member } from './cluster.ts'
import { GONE, type History, type Json, mayBe, type Recording, type Register } from './history.ts'

const DONE_WITHIN_MS = 240_000

/** @returns a sentence for each broken promise */
export async function check(cluster: Cluster, history: History): Promise<string[]> {
  const broken = [...history.faults]
  const done = untilDone(cluster).catch((error: Error) => broken.push(error.message))
  await done
  const servers = cluster.members.filter(({ role }) => role === 'server')
  const texts = new Map<number, string>()
  for (const [index, recording] of history.recordings.entries()) {
    const server = servers[index % servers.length]!
    for (const fault of await faultsOf(recording, { cluster, server, texts }))
      broken.push(`${recording.use} capture ${recording.id}: ${fault}`)
  }
  broken.push(...(await surplus(cluster, history)))
  for (const server of servers) broken.push(...(await wrongLibrary(server, history)))
  broken.push(...doneTwice(cluster))
  for (const member of cluster.members) {
    const code = await current(member).stop()
    if (code !== 0) broken.push(`${member.name} stopped with ${code}`)
    const left = await readdir(join(member.dataFolder, 'inbox'))
    if (left.length > 0) broken.push(`${member.name} has ${left.join(', ')} in its inbox`)
  }
  broken.push(...(await unverified(cluster.members[0]!)))
  return broken
}

/** Nothing may wait for ever: no job, no delivery of a job or webhook, no recording in an inbox, no copy. */
async function untilDone({ sql, members }: Cluster): Promise<void> {
  let left = ''
  await until(
    async () => {
      const jobs = await sql`select id, state, attempts from jobs where state in ('waiting', 'active')`
      const deliveries =
        await sql`select name, state from pgboss.job where state in ('created', 'active', 'retry')
        and name in ('transcribe', 'suspects', 'webhook')`
      const behind = await sql`select id from captures where copied_revision is distinct from revision`
      const inboxes = await Promise.all(members.map(({ dataFolder }) => readdir(join(dataFolder, 'inbox'))))
      left = JSON.stringify({ jobs, deliveries, behind, inboxes: inboxes.flat() })
      return jobs.length + deliveries.length + behind.length + inboxes.flat().length === 0
    },
    { timeoutMs: DONE_WITHIN_MS, what: () => `all work to be done; left: ${left.slice(0, 2000)}` },
  )
}

const getJson = async (member: Member, path: string): Promise<{ status: number; json: Json }> => {
  const response = await fetch(`${current(member).url}${path}`)
  return { status: response.status, json: await response.json() }
}

type Where = { cluster: Cluster; server: Member; texts: Map<number, string> }

async function faultsOf(recording: Recording, { cluster, server, texts }: Where): Promise<string[]> {
  const { id, registers, use, speech } = recording
  const { status, json: capture } = await getJson(server, `/captures/${id}`)
  const life = registers.get('life')!
  if (status === 404) return mayBe(life, GONE) ? [] : ['it is lost']
  if (!mayBe(life, null)) return ['it was deleted, and is there']
  const faults: string[] = []
  if (capture.status !== 'completed') faults.push(`it is ${capture.status}: ${JSON.stringify(capture.error)}`)
  const audio = await (await fetch(`${current(server).url}/captures/${id}/audio`)).arrayBuffer()
  if (sha256(audio) !== recording.sha256) faults.push('its audio differs')
  const text = capture.transcript_raw
  if (use !== 'corrected') {
    if (!/^Speech [a-p]{12}\.$/.test(text) || (texts.get(speech) ?? text) !== text)
      faults.push(`its text is not that of its speech: ${text}`)
    texts.set(speech, text)
  }
  for (const [field, register] of registers) {
    if (field === 'life') continue
    const value = field === 'segment' ? capture.segments[0]?.text : capture[field]
    if (!mayBe(register, value)) faults.push(`its ${field} is ${value}, not ${oneOf(register)}`)
  }
  if (use === 'retranscribed') faults.push(...(await wrongResults(recording, { cluster, server })))
  return faults
}

const oneOf = ({ possible }: Register): string => [...possible].map(String).join(' or ')

/** Each accepted job must have one result, one version and one announcement. */
async function wrongResults(
  { id, retranscriptions: { done, unknown } }: Recording,
  { cluster, server }: Omit<Where, 'texts'>,
): Promise<string[]> {
  const { items: jobs } = (await getJson(server, `/jobs?capture_id=${id}&limit=200`)).json
  const { items: versions } = (await getJson(server, `/captures/${id}/versions`)).json
  const completed = jobs.filter(({ state }: Json) => state === 'completed').length
  const announced = cluster.webhook.received.get(`capture.completed ${id}`)?.size ?? 0
  const faults: string[] = []
  if (completed < 1 + done || completed > 1 + done + unknown)
    faults.push(`${completed} jobs completed after ${done} retranscriptions and ${unknown} without an answer`)
  const numbers = versions.map(({ number }: Json) => number).join()
  if (numbers !== Array.from({ length: completed - 1 }, (_, index) => index + 1).join())
    faults.push(`${completed} jobs completed, and its versions are ${numbers}`)
  if (announced !== completed) faults.push(`${completed} jobs completed, and ${announced} were announced`)
  return faults
}

/** Recordings beyond those that clients know of. */
async function surplus(cluster: Cluster, { recordings, unknownUploads }: History): Promise<string[]> {
  const rows = await cluster.sql`select id, status from captures`
  const known = new Set(recordings.map(({ id }) => id))
  const others = rows.filter(({ id }) => !known.has(id))
  const unfinished = others.filter(({ status }) => status !== 'completed')
  return [
    ...(others.length > unknownUploads
      ? [`${others.length} captures that no client knows, after ${unknownUploads} uploads without an answer`]
      : []),
    ...unfinished.map(({ id, status }) => `capture ${id}, which no client knows, is ${status}`),
  ]
}

/** What the clients changed in the dictionary, the writing styles and the settings, as one server shows it. */
async function wrongLibrary(server: Member, { entries, settings }: History): Promise<string[]> {
  const wrong: string[] = []
  for (const [path, own] of Map.groupBy(entries, (one) => one.path)) {
    const stored = await allOf(server, path)
    for (const { name, life, value } of own) {
      const found = stored.filter((one) => (one.word ?? one.name) === name)
      const [one] = found
      if (found.length > 1) wrong.push(`${path} ${name} is there ${found.length} times`)
      if (one === undefined && !mayBe(life, GONE)) wrong.push(`${path} ${name} is lost`)
      if (one !== undefined && !mayBe(life, null)) wrong.push(`${path} ${name} was deleted, and is there`)
      const changed = one?.replacement ?? one?.description
      if (one !== undefined && !mayBe(value, changed))
        wrong.push(`${path} ${name} has ${changed}, not ${oneOf(value)}`)
    }
  }
  const { json: shown } = await getJson(server, '/settings/captures')
  for (const [name, register] of settings)
    if (!mayBe(register, shown[name]))
      wrong.push(`the setting ${name} is ${shown[name]}, not ${oneOf(register)}`)
  return wrong.map((one) => `${server.name}: ${one}`)
}

async function allOf(server: Member, path: string): Promise<Json[]> {
  const all: Json[] = []
  for (;;) {
    const { items } = (await getJson(server, `${path}?limit=100&offset=${all.length}`)).json
    all.push(...items)
    if (items.length < 100) return all
  }
}

/** A result that was committed twice would be logged twice. */
function doneTwice({ members }: Cluster): string[] {
  const ended = members
    .flatMap(({ lives }) => lives.flatMap((life) => life.log()))
    .filter(({ msg }) => msg === 'job completed')
    .map(({ jobId }) => String(jobId))
  const counts = Map.groupBy(ended, (one) => one)
  return [...counts]
    .filter(([, all]) => all.length > 1)
    .map(([id, all]) => `job ${id} has ${all.length} results`)
}

const program = resolve(import.meta.dir, '../../src/cli/main.ts')

async function unverified({ dataFolder, env }: Member): Promise<string[]> {
  const child = Bun.spawn([process.execPath, program, 'verify'], {
    ...{ env: { ...process.env, ...env, DICTATION_DATA_DIR: dataFolder }, stdout: 'pipe', stderr: 'pipe' },
  })
  const texts = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()))
  return (await child.exited) === 0 ? [] : [`dictation verify: ${texts.join('')}`]
}
