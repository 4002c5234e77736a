// Two servers and three workers as real processes on one Postgres and one store. Each reaches both by ways of its own,
// which can be cut.

import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { childrenOf, roleOf } from '../support/children.ts'
import { type RunningPostgres, startPostgres } from '../support/postgres.ts'
import { createProxy } from '../support/proxy.ts'
import { startS3Front, type Trouble } from '../support/s3-front.ts'
import { isS3ServerInstalled, startS3Server } from '../support/s3-server.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { type Recipient, startRecipient } from './recipient.ts'
import { startWaitingEngine } from './waiting-engine.ts'

export const SERVERS = 2
export const WORKERS = 3
/** Starts take turns, and on a busy machine each takes more than a minute. */
const READY_WITHIN_MS = 600_000

/** The way of one member to the store. */
type StoreWay = {
  env: Record<string, string>
  cut(): Promise<void>
  restore(): Promise<void>
  /** null for a folder, which damages and delays nothing */
  trouble: ((trouble: Trouble | null) => void) | null
}

export type Member = {
  name: string
  role: 'server' | 'worker'
  dataFolder: string
  env: Record<string, string>
  database: Awaited<ReturnType<typeof createProxy>>
  store: StoreWay
  /** every process that it was, the current one last */
  lives: RunningServer[]
}

export type Cluster = {
  members: Member[]
  postgres: RunningPostgres
  sql: postgres.Sql
  /** what DICTATION_STORE is */
  store: 'SeaweedFS' | 'a shared folder'
  webhook: Recipient
}

export const current = ({ lives }: Member): RunningServer => lives.at(-1)!

/** Starts the member, for the first time or after its death, and waits until it is ready. */
export async function launch(member: Member): Promise<void> {
  const { dataFolder, env, role } = member
  const args = role === 'worker' ? ['worker'] : []
  member.lives.push(await startServer({ dataFolder, env, args, readyWithinMs: READY_WITHIN_MS }))
}

/** Null without Postgres. `world` ends all of its processes, also if an interrupt comes before they are ready. */
export async function startCluster(world: AsyncDisposableStack): Promise<Cluster | null> {
  const running = await startPostgres({ fsync: true })
  if (running === null) return null
  world.defer(() => running.stop())
  const home = await mkdtemp(join(tmpdir(), 'dictation-machines-'))
  world.defer(() => rm(home, { recursive: true, force: true }))
  const engine = startWaitingEngine()
  world.defer(() => engine.stop())
  const webhook = startRecipient()
  world.defer(() => webhook.stop())
  const way = isS3ServerInstalled() ? await waysToBucket(world) : await waysToFolder(home)
  const roles = [...Array(SERVERS).fill('server'), ...Array(WORKERS).fill('worker')] as Member['role'][]
  const members: Member[] = []
  for (const [index, role] of roles.entries()) {
    const database = await createProxy(running.url)
    world.defer(async () => database[Symbol.dispose]())
    const name = `${role} ${index < SERVERS ? index + 1 : index - SERVERS + 1}`
    const store = await way(name.replace(' ', '-'))
    const env = { DATABASE_URL: database.url, DICTATION_THREADS: '1', ...store.env }
    const dataFolder = join(home, name.replace(' ', '-'))
    members.push({ name, role, dataFolder, env, database, store, lives: [] })
  }
  // Also those that are starting.
  world.defer(async () => {
    for (const pid of childrenOf('self')) if (roleOf(pid) === 'server') process.kill(pid, 'SIGKILL')
  })
  const sql = postgres(running.url, { max: 2, onnotice: () => {} })
  world.defer(() => sql.end({ timeout: 1 }))
  for (const member of members) {
    await launch(member)
    console.log(`${member.name} is ready`)
  }
  const settings = { engine_url: engine.url, webhook_url: webhook.url }
  const set = await fetch(`${current(members[0]!).url}/settings/captures`, {
    ...{ method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(settings) },
  })
  if (!set.ok) throw new Error(`the settings were refused: ${await set.text()}`)
  const store = isS3ServerInstalled() ? 'SeaweedFS' : 'a shared folder'
  return { members, postgres: running, sql, store, webhook }
}

async function waysToBucket(world: AsyncDisposableStack) {
  const s3 = await startS3Server()
  world.use(s3)
  return async (): Promise<StoreWay> => {
    const front = await startS3Front(s3.endpoint)
    world.use(front)
    const env = {
      DICTATION_STORE: `s3://${s3.bucket}/speech`,
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
      AWS_ENDPOINT_URL: front.url,
    }
    const trouble = (one: Trouble | null) => {
      front.trouble = one
    }
    return { env, cut: async () => trouble('away'), restore: async () => trouble(null), trouble }
  }
}

/** Each member mounts the folder by a link. */
async function waysToFolder(home: string) {
  console.log(
    'SeaweedFS is not installed ("npm run clients" installs it): the store is a shared folder, so that answers are neither damaged nor slow in this run.',
  )
  const folder = join(home, 'store')
  await mkdir(folder)
  return async (name: string): Promise<StoreWay> => {
    const link = join(home, `store-of-${name}`)
    const restore = () => symlink(folder, link)
    await restore()
    return { env: { DICTATION_STORE: link }, cut: () => rm(link), restore, trouble: null }
  }
}
