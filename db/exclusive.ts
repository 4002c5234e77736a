// Work that only one server at a time may do: advisory locks of Postgres, all on one connection of the server.

import postgres from 'postgres'
import { createKeyedLock } from '../src/lib/keyed-lock.ts'
import { pause } from '../src/lib/retry.ts'
import type { Database } from './database.ts'
import { beforeDeadline, CALL_DEADLINE_MS } from './deadline.ts'

/** How often a waiting server tries again. */
const LOOK_MS = 200
/** An arbitrary number that no other program is likely to use. */
const SPACE = 687_124_930
/** Postgres releases the locks of a server that was cut off without a word within half a minute, not two hours. */
export const KEEPALIVES = { tcp_keepalives_idle: 15, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 }

/**
 * If the connection is lost during the work, Postgres releases the lock: the work must be harmless beside that of another
 * server.
 */
export function createExclusive(url: string): Pick<Database, 'exclusively' | 'close'> {
  // A pool's own `reserve` never returns while `fetch_types` is off.
  const sql = postgres(url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    // As in external.ts.
    fetch_types: false,
    connection: { application_name: 'local-dictation lock', ...KEEPALIVES },
    onnotice: () => {},
  })
  const patience = { timeoutMs: CALL_DEADLINE_MS, lost: new AbortController().signal, graceMs: 0 }
  // A session may take its own lock a second time.
  const inTurn = createKeyedLock()

  async function take(name: string): Promise<boolean> {
    const answer = sql<{ taken: boolean }[]>`
      select pg_try_advisory_lock(${SPACE}, hashtext(${name})) as taken`
    const [row] = await beforeDeadline(answer, patience)
    return row?.taken === true
  }

  return {
    exclusively: (name, work, { waitMs } = { waitMs: 0 }) =>
      inTurn(name, async () => {
        const giveUpAt = performance.now() + waitMs
        while (!(await take(name))) {
          if (performance.now() >= giveUpAt) return null
          await pause(LOOK_MS)
        }
        try {
          return await work()
        } finally {
          // A lost connection has released it.
          await beforeDeadline(sql`select pg_advisory_unlock(${SPACE}, hashtext(${name}))`, patience).catch(
            () => {},
          )
        }
      }),
    close: () => sql.end({ timeout: 1 }),
  }
}
