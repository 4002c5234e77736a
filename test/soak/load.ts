// Runs the operations at a fixed moderate rate, the same on fast and slow machines. The amount of data is bounded, so any
// growth is a leak.

import { createRandom } from '../support/random.ts'
import { until } from '../support/until.ts'
import type { Client } from './client.ts'
import { type Operation, OR_GONE, type World } from './operation.ts'
import { readOperations } from './read-operations.ts'
import { formOf } from './recordings.ts'
import { uploadOperations } from './upload-operations.ts'
import { writeOperations } from './write-operations.ts'

/** Limits the load on a busy machine. */
const MAX_AT_ONCE = 16
const KEPT_CAPTURES = 30
const PRUNE_EVERY = 50

const operations: Operation[] = [...uploadOperations, ...readOperations, ...writeOperations]

export type Done = { operations: number; skipped: number }

export function createLoad(world: World) {
  const done: Done = { operations: 0, skipped: 0 }
  const nextOperation = shuffledFor(operations.flatMap((one) => Array<Operation>(one.weight).fill(one)))
  const running = new Set<Promise<void>>()

  const begin = (work: Promise<unknown>): void => {
    const settled = work.then(
      () => {},
      (error: unknown) => void world.client.faults.push(String(error)),
    )
    running.add(settled)
    void settled.finally(() => running.delete(settled))
  }

  return {
    done,
    /** Starts an operation every `everyMs`, unless too many are running. */
    async run(everyMs: number, isOver: () => boolean): Promise<void> {
      const beganAt = performance.now()
      for (let tick = 1; !isOver(); tick++) {
        if (running.size >= MAX_AT_ONCE) done.skipped++
        else {
          done.operations++
          begin(nextOperation().run(world))
          if (tick % PRUNE_EVERY === 0) begin(prune(world.client))
        }
        await Bun.sleep(Math.max(0, beganAt + tick * everyMs - performance.now()))
      }
      await Promise.all(running)
    },
  }
}

/** All operations in a random order that is the same in each run, repeatedly. */
function shuffledFor(cards: Operation[]): () => Operation {
  const random = createRandom(17)
  let deck: Operation[] = []
  return () => {
    if (deck.length === 0)
      deck = cards
        .map((card) => ({ card, rank: random() }))
        .toSorted((one, other) => one.rank - other.rank)
        .map(({ card }) => card)
    return deck.pop()!
  }
}

type List = { items: { id: string }[]; total: number }

/** Deletes all but the newest captures. */
async function prune(client: Client): Promise<void> {
  const old = await client.json<List>(`/captures?limit=200&offset=${KEPT_CAPTURES}`, { route: 'list' })
  for (const { id } of old?.items ?? [])
    await client.request(`/captures/${id}`, { route: 'delete', method: 'DELETE', expect: OR_GONE })
}

const QUIET_WITHIN_MS = 180_000

/**
 * Deletes everything, and waits until no work is left and the engine has its model: an aborted transcription ends its
 * process. An interrupted upload becomes a capture later, and is deleted too.
 */
export async function empty({ client, recent, recordings }: World): Promise<void> {
  recent.length = 0
  const deleteAll = async () => {
    for (const filter of [{ since: '1970-01-01' }, { trashed: true, since: '1970-01-01' }])
      await client.request('/captures/delete', { route: 'delete many', json: { filter }, expect: [202] })
  }
  await deleteAll()
  await client.request('/commands/history', { route: 'history of commands: clear', method: 'DELETE' })
  const isEmpty = async (path: string) => (await client.json<List>(path, { route: 'list' }))?.total === 0
  const isIdle = async () =>
    (await client.json<{ jobs: unknown[] }>('/tasks/active', { route: 'tasks' }))?.jobs.length === 0
  await until(
    async () => {
      if (!(await isIdle())) return false
      if ((await isEmpty('/captures')) && (await isEmpty('/captures?trashed=true'))) return true
      await deleteAll()
      return false
    },
    { timeoutMs: QUIET_WITHIN_MS, what: 'all captures and jobs to be deleted' },
  )
  await client.request('/transcribe', {
    route: 'transcribe, last of a round',
    body: formOf(recordings.short[0]!),
  })
}
