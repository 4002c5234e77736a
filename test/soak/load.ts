// Drives the operations at a fixed modest rate, so that a faster or slower machine is asked for the same.
// Keeps what is there bounded: whatever grows beside it is a leak and not data.

import { createRandom } from '../support/random.ts'
import { until } from '../support/until.ts'
import type { Client } from './client.ts'
import { lookingOperations } from './looking.ts'
import { type Operation, OR_GONE, type World } from './operation.ts'
import { recordingOperations } from './recording.ts'
import { shapingOperations } from './shaping.ts'
import { formOf } from './sounds.ts'

/** A machine that is busy with something else is not pushed further. */
const MOST_AT_ONCE = 16
const KEPT_CAPTURES = 30
const PRUNE_EVERY = 50

const operations: Operation[] = [...recordingOperations, ...lookingOperations, ...shapingOperations]

export type Done = { operations: number; skipped: number }

export function createLoad(world: World) {
  const done: Done = { operations: 0, skipped: 0 }
  const nextOperation = shuffledFor(operations.flatMap((one) => Array<Operation>(one.often).fill(one)))
  const underWay = new Set<Promise<void>>()

  const begin = (work: Promise<unknown>): void => {
    const noted = work.then(
      () => {},
      (error: unknown) => void world.client.faults.push(String(error)),
    )
    underWay.add(noted)
    void noted.finally(() => underWay.delete(noted))
  }

  return {
    done,
    /** @param everyMs one more begins, unless too many are under way */
    async run(everyMs: number, isOver: () => boolean): Promise<void> {
      const beganAt = performance.now()
      for (let tick = 1; !isOver(); tick++) {
        if (underWay.size >= MOST_AT_ONCE) done.skipped++
        else {
          done.operations++
          begin(nextOperation().run(world))
          if (tick % PRUNE_EVERY === 0) begin(prune(world.client))
        }
        await Bun.sleep(Math.max(0, beganAt + tick * everyMs - performance.now()))
      }
      await Promise.all(underWay)
    },
  }
}

/** Every card once, in an order that is the same in each run, and anew. */
function shuffledFor(cards: Operation[]): () => Operation {
  const random = createRandom(17)
  let deck: Operation[] = []
  return () => {
    if (deck.length === 0)
      deck = cards
        .map((card) => ({ card, place: random() }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ card }) => card)
    return deck.pop()!
  }
}

type List = { items: { id: string }[]; total: number }

/** Deletes all but the newest captures. */
async function prune(client: Client): Promise<void> {
  const old = await client.json<List>(`/captures?limit=200&offset=${KEPT_CAPTURES}`, { route: 'list' })
  for (const { id } of old?.items ?? [])
    await client.ask(`/captures/${id}`, { route: 'delete', method: 'DELETE', expect: OR_GONE })
}

const QUIET_WITHIN_MS = 180_000

/**
 * Deletes everything, and waits until no work is left and the engine has its model: an abandoned hearing ends its
 * process. A recording whose sender broke off becomes a capture after that, and is deleted in its turn.
 */
export async function empty({ client, lately, sounds }: World): Promise<void> {
  lately.length = 0
  const deleteAll = async () => {
    for (const filter of [{ since: '1970-01-01' }, { trashed: true, since: '1970-01-01' }])
      await client.ask('/captures/delete', { route: 'delete many', json: { filter }, expect: [202] })
  }
  await deleteAll()
  await client.ask('/commands/history', { route: 'history of commands: forget', method: 'DELETE' })
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
    { timeoutMs: QUIET_WITHIN_MS, what: 'all captures and jobs to be gone' },
  )
  await client.ask('/transcribe', { route: 'transcribe, last of a round', body: formOf(sounds.short[0]!) })
}
