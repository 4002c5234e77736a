// The servers and workers on one database: who is live (from pg-boss's registry of instances), and whether this one may
// join them.

import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Instance } from 'pg-boss'
import pgBossPackage from 'pg-boss/package.json' with { type: 'json' }
import { type Database, returnedRows } from '../../db/database.ts'
import { CAPTURES_FOLDER } from '../captures/capture-files.ts'

export const ROLES = ['server', 'worker'] as const
export type Role = (typeof ROLES)[number]

/** What a server writes into the registry; `folder` and `store` are digests. */
export type ServerIdentity = {
  role: Role
  /** its data folder: a server that was killed is not another server than the one that starts after it */
  folder: string
  /** where its recordings are: equal for servers that share them */
  store: string
}

/** `store` is the address of the shared store; without one, servers share recordings only in the very same folder. */
export function identify(role: Role, dataFolder: string, store: string | null = null): ServerIdentity {
  const here = (path: string) => `${hostname()} ${realPathOf(path)}`
  return {
    role,
    folder: digest(here(dataFolder)),
    store: digest(store ?? here(join(dataFolder, CAPTURES_FOLDER))),
  }
}

/** The captures folder may be a link; it does not exist before the first recording. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const DIGITS = 16
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, DIGITS)

export const instanceNameOf = ({ role, folder, store }: ServerIdentity): string =>
  `${role} ${folder} ${store}`

/** Null for a program that is not ours. */
function identityIn(name: string | null): ServerIdentity | null {
  const [role, folder, store] = (name ?? '').split(' ')
  const known = ROLES.find((one) => one === role)
  return known && folder && store ? { role: known, folder, store } : null
}

export type LiveServer = ServerIdentity & { host: string; pid: number }

/** Servers and workers other than that of this data folder. Works before pg-boss has prepared its tables. */
export async function otherServers(database: Database, own: ServerIdentity): Promise<LiveServer[]> {
  const [table] = await select<{ exists: boolean }>(
    database,
    `select to_regclass('pgboss.instance') is not null as exists`,
  )
  if (!table?.exists) return []
  const live = await select<{ name: string | null; host: string; pid: number }>(
    database,
    `select name, host, pid from pgboss.instance where stopped_on is null
      and heartbeat_on >= now() - heartbeat_seconds * ${MISSED_BEATS} * interval '1 second'`,
  )
  return live.flatMap(({ name, host, pid }) => {
    const identity = identityIn(name)
    return identity === null || identity.folder === own.folder ? [] : [{ ...identity, host, pid }]
  })
}

/** As pg-boss counts. */
const MISSED_BEATS = 3

const select = async <Row>(database: Database, text: string): Promise<Row[]> =>
  returnedRows<Row>(await database.run((orm) => orm.execute(sql.raw(text))))

/** This server must not work beside those that are live. */
export class ServerRefusedError extends Error {}

/** @throws ServerRefusedError */
export async function checkMayJoin(
  database: Database,
  own: ServerIdentity,
  others: readonly LiveServer[],
): Promise<void> {
  const stranger = others.find(({ store }) => store !== own.store)
  if (stranger !== undefined)
    throw new ServerRefusedError(
      `Another Local Dictation ${describe(stranger)} works on the database that DATABASE_URL names, and the two do not share their recordings. Stop it, or set DICTATION_STORE to the same store for both.`,
    )
  const [older] = others
  if (older === undefined) return
  const [found] = await select<{ version: number }>(database, 'select version from pgboss.version')
  if (found !== undefined && found.version < pgBossPackage.pgboss.schema)
    throw new ServerRefusedError(
      `This version changes the tables of the job queue, and an older ${describe(older)} is still running. Stop all servers and workers of the older version first.`,
    )
}

const describe = ({ role, host, pid }: LiveServer): string => `${role} (host ${host}, process ${pid})`

/** A server or worker as GET /jobs/workers shows it. */
export type WorkerStatus = {
  id: string
  role: Role
  host: string
  pid: number
  /** how many jobs it works on at once */
  slots: number
  /** jobs in hand at its last heartbeat */
  active: number
  startedAt: Date
  seenAt: Date
}

export function workerStatusOf(instance: Instance, queues: readonly string[]): WorkerStatus | null {
  const { id, name, host, pid, startedOn, heartbeatOn } = instance
  const identity = identityIn(name)
  if (!instance.live || identity === null) return null
  const working = instance.workers.filter(({ queue }) => queues.includes(queue))
  const sum = (of: (worker: (typeof working)[number]) => number) =>
    working.reduce((total, worker) => total + of(worker), 0)
  return {
    id,
    role: identity.role,
    host,
    pid,
    slots: sum(({ localConcurrency }) => localConcurrency),
    active: sum(({ active }) => active),
    startedAt: startedOn,
    seenAt: heartbeatOn,
  }
}
