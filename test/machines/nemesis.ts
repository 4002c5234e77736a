// The faults: each is injected, lasts a while and is healed. Those of a member choose one that lives.

import { until } from '../support/until.ts'
import type { Draw } from './clients.ts'
import { type Cluster, current, launch, type Member } from './cluster.ts'

export type Nemesis = {
  /** by name of the fault */
  counts: Map<string, number>
  /** from the death of a member until another one works on its jobs, or until all servers serve again */
  takeoverMs: number[]
  backMs: number[]
  /** of killed members; none is awaited before the end */
  restarts: Promise<void>[]
  faults: string[]
}

type World = { cluster: Cluster; draw: Draw; nemesis: Nemesis; isAlone: boolean }
type Fault = (world: World) => Promise<void>

/** Longer than the heartbeat of a job, so that the others take it over. */
const STOPPED_MS = 14_000
const MAX_TAKEOVER_MS = 60_000
const MAX_BACK_MS = 60_000
const MAX_RESTART_MS = 600_000
const MAX_STARTS = 6

/** Members that a fault has at the moment. */
const taken = new Set<Member>()

/** @param work may return the restart that ends the fault */
async function onMember(
  { cluster, draw, nemesis }: World,
  role: Member['role'] | null,
  work: (member: Member) => Promise<{ restarted: Promise<void> } | void>,
): Promise<void> {
  const fit = () => cluster.members.filter((one) => !taken.has(one) && (role === null || one.role === role))
  const member = draw.of(await until(() => (fit().length > 0 ? fit() : null), { timeoutMs: MAX_RESTART_MS }))
  taken.add(member)
  const release = () => taken.delete(member)
  const ongoing = await work(member)
  if (!ongoing) return void release()
  const restarted = ongoing.restarted.finally(release)
  nemesis.restarts.push(
    restarted.catch((error: Error) => {
      nemesis.faults.push(`${member.name} did not start again: ${error.message}`)
    }),
  )
}

const jobsIn = (member: Member, message: string): Set<string> =>
  new Set(
    member.lives.flatMap((life) =>
      life
        .log()
        .filter(({ msg }) => msg === message)
        .map(({ jobId }) => String(jobId)),
    ),
  )

/** Jobs that the current process of the member has begun and not ended. */
async function atWork({ sql }: Cluster, member: Member): Promise<string[]> {
  const begun = current(member)
    .log()
    .filter(({ msg }) => msg === 'begun')
    .map(({ jobId }) => String(jobId))
    .slice(-10)
  if (begun.length === 0) return []
  const rows = await sql`select id from jobs where id in ${sql(begun)} and state = 'active'`
  return rows.map(({ id }) => String(id))
}

/** A start is refused while another fault keeps Postgres or the store away. */
async function restart(member: Member): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(member)
    } catch (error) {
      if (attempt === MAX_STARTS) throw error
    }
  }
}

/** Kills it while it works, and measures until the others work on its jobs. */
const kill =
  (role: Member['role']): Fault =>
  (world) =>
    onMember(world, role, async (member) => {
      const { cluster, nemesis, isAlone } = world
      const working = async () => {
        const found = await atWork(cluster, member)
        return found.length > 0 ? found : null
      }
      const jobs = await until(working, { timeoutMs: 20_000 }).catch(() => [])
      const others = cluster.members.filter((one) => one !== member)
      const before = new Map(others.map((one) => [one, jobsIn(one, 'begun')]))
      await current(member).kill()
      const at = performance.now()
      const restarted = restart(member)
      const isTaken = (job: string) =>
        others.some((one) => jobsIn(one, 'begun').has(job) && !before.get(one)!.has(job))
      const waits = jobs.map(async (job) => {
        const isOver = async () => {
          if (isTaken(job)) return 'taken' as const
          const [row] = await cluster.sql`select state from jobs where id = ${job}`.catch(() => [
            { state: '' },
          ])
          // Its result was committed at the last moment, or its capture is deleted.
          return (
            (row === undefined || ['completed', 'failed', 'canceled'].includes(row.state)) &&
            ('over' as const)
          )
        }
        const how = await until(isOver, { timeoutMs: MAX_TAKEOVER_MS })
        if (how === 'taken' && isAlone) nemesis.takeoverMs.push(performance.now() - at)
      })
      for (const { reason } of (await Promise.allSettled(waits)).filter((one) => one.status === 'rejected'))
        nemesis.faults.push(`a job of ${member.name}, which was killed, is not taken over: ${reason}`)
      return { restarted }
    })

const stop: Fault = async (world) => {
  await onMember(world, null, async (member) => {
    const { pid } = current(member)
    process.kill(pid, 'SIGSTOP')
    await Bun.sleep(STOPPED_MS)
    process.kill(pid, 'SIGCONT')
  })
  await untilServing(world)
}

const cutFromDatabase: Fault = async (world) => {
  await onMember(world, null, async ({ database }) => {
    database.cut()
    await Bun.sleep(3000 + world.draw.below(12_000))
    database.restore()
  })
  await untilServing(world)
}

/** Its statements still arrive, and their answers are lost. */
const mute: Fault = async (world) => {
  await onMember(world, null, async ({ database }) => {
    database.mute()
    await Bun.sleep(1000 + world.draw.below(8000))
    database.cut()
    database.restore()
  })
  await untilServing(world)
}

const cutFromStore: Fault = (world) =>
  onMember(world, null, async ({ store }) => {
    await store.cut()
    await Bun.sleep(2000 + world.draw.below(8000))
    await store.restore()
  })

const storeAway: Fault = async ({ cluster, draw }) => {
  for (const { store } of cluster.members) await store.cut()
  await Bun.sleep(2000 + draw.below(8000))
  for (const { store } of cluster.members) await store.restore()
}

const spoil: Fault = async ({ cluster, draw }) => {
  const trouble = draw.of(['busy', 'slow', 'truncated', 'flipped', 'flipped upload'] as const)
  for (const { store } of cluster.members) store.trouble?.(trouble)
  await Bun.sleep(3000 + draw.below(5000))
  for (const { store } of cluster.members) store.trouble?.(null)
}

const restartDatabase =
  (how: 'checkpoint' | 'kill'): Fault =>
  async (world) => {
    const { cluster, draw } = world
    await cluster.postgres.down(how)
    await Bun.sleep(draw.below(6000))
    await cluster.postgres.up()
    await untilServing(world)
  }

const cutListeners: Fault = async ({ cluster: { sql } }) => {
  // Another fault may keep Postgres down meanwhile, and then there are no listeners.
  const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and (query like 'LISTEN%' or query like '%pg_listening_channels%')`
  await cut.catch(() => {})
}

/** Measures until every server that is in no fault answers from the database. */
async function untilServing({ cluster, nemesis, isAlone }: World): Promise<void> {
  const at = performance.now()
  const serves = async (member: Member) =>
    fetch(`${current(member).url}/captures?limit=1`, { signal: AbortSignal.timeout(5000) }).then(
      async (response) => {
        await response.text()
        return response.ok
      },
      () => false,
    )
  const servers = cluster.members.filter(({ role }) => role === 'server')
  await Promise.all(
    servers.map((server) =>
      until(async () => taken.has(server) || (await serves(server)), {
        timeoutMs: MAX_BACK_MS,
        what: `${server.name} to serve again`,
      }),
    ),
  ).catch((error: Error) => nemesis.faults.push(error.message))
  if (isAlone) nemesis.backMs.push(performance.now() - at)
}

export const FAULTS: Record<string, Fault> = {
  'a worker killed': kill('worker'),
  'a server killed': kill('server'),
  'stopped for 14 s, then continued': stop,
  'cut off from Postgres': cutFromDatabase,
  'answers of Postgres lost': mute,
  'Postgres restarted': restartDatabase('checkpoint'),
  'Postgres killed': restartDatabase('kill'),
  'all listeners cut': cutListeners,
  'cut off from the store': cutFromStore,
  'the store away': storeAway,
  'the store slow, busy or damaging': spoil,
}

export async function inject(world: World, name: string): Promise<void> {
  const { counts } = world.nemesis
  counts.set(name, (counts.get(name) ?? 0) + 1)
  await FAULTS[name]!(world)
}
