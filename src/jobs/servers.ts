// The servers and workers on one database: who is live (from pg-boss's registry of instances), and whether this one may
// join them.

import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Instance, PgBoss } from 'pg-boss'
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

/** `store` is the id of the shared store; without one, servers share recordings only in the very same folder. */
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

/** This server must not work beside those that are live. */
export class ServerRefusedError extends Error {}

/**
 * Returns the live servers and workers other than that of this data folder. Call it before the queue is opened.
 * @throws ServerRefusedError
 */
export async function checkMayJoin(url: string, own: ServerIdentity): Promise<LiveServer[]> {
  const boss = new PgBoss({ connectionString: url, max: 1, ...ONLY_LOOKS })
  // A failed start reports its reason.
  boss.on('error', () => {})
  try {
    const isCurrent = await boss.start().then(
      () => true,
      () => false,
    )
    if (!(await boss.isInstalled())) return []
    // Versions of pg-boss without a registry have no instances.
    const instances = await boss.getInstances({ limit: MAX_SERVERS }).catch(() => [])
    const others = instances.flatMap(({ live, name, host, pid }) => {
      const identity = live ? identityIn(name) : null
      return identity === null || identity.folder === own.folder ? [] : [{ ...identity, host, pid }]
    })
    refuseBeside(others, { own, isCurrent })
    return others
  } finally {
    await boss.stop({ graceful: false })
  }
}

/** The most servers that are listed. */
export const MAX_SERVERS = 1000

const ONLY_LOOKS = { migrate: false, supervise: false, schedule: false, registerInstance: false }

function refuseBeside(
  others: readonly LiveServer[],
  { own, isCurrent }: { own: ServerIdentity; isCurrent: boolean },
): void {
  const stranger = others.find(({ store }) => store !== own.store)
  if (stranger !== undefined)
    throw new ServerRefusedError(
      `Another Local Dictation ${describe(stranger)} works on the database that DATABASE_URL names, and the two do not share their recordings. Stop it, or set DICTATION_STORE to the same store for both.`,
    )
  const [older] = others
  if (older !== undefined && !isCurrent)
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
