// Keeps the server on a sound database: opens it with all services, and if it turns out to be damaged, at the start or
// later, closes everything and opens it again on an empty database, which is filled from the files.

import { isDamageWhileFilled, remedyFor, wantIn } from '../db/damage.ts'
import type { Database, DatabaseFailure } from '../db/database.ts'
import { WrongFolderError } from './captures/recovery.ts'
import { ServerRefusedError } from './jobs/servers.ts'
import { type CleanupStack, runCleanup } from './lib/cleanup-stack.ts'
import { DatabaseDiskError } from './lib/database-errors.ts'
import type { Log } from './lib/log.ts'
import { fail, type Result, succeed } from './lib/result.ts'
import { pause, retry } from './lib/retry.ts'

/** Damage that recurs sooner is not the disk's: repeated rebuilds would only fill it. */
const REST_MS = 600_000
/** A failing disk interrupts running requests at most this often. */
const REOPEN_REST_MS = 5000

/** Failures of opening it that an empty database does not have. */
const OF_NO_USE = ['database_damaged', 'database_unknown']

type Failure = Pick<DatabaseFailure, 'message'> & { code: string }

type Deps<Parts> = {
  openDatabase(how: { rebuild: boolean }): Promise<Result<Database, DatabaseFailure>>
  /** opens the services on the database, from its rows and from the files */
  fill(database: Database, undo: CleanupStack): Promise<Parts>
  /** starts serving requests */
  show(parts: Parts): Promise<Result<void, Failure>>
  /** resumes unfinished work */
  begin(parts: Parts): Promise<void>
  log: Log
}

export type DatabaseSupervisor = {
  start(): Promise<Result<void, Failure>>
  stop(): Promise<void>
}

export function superviseDatabase<Parts>(deps: Deps<Parts>): DatabaseSupervisor {
  const { openDatabase, fill, show, begin, log } = deps
  const stopping = new AbortController()
  const undo: CleanupStack = []
  let repairing: Promise<void> = Promise.resolve()
  let rebuiltAt = Number.NEGATIVE_INFINITY
  let reopenedAt = Number.NEGATIVE_INFINITY

  async function open(how: { rebuild: boolean }): Promise<Result<void, Failure>> {
    const opened = await openDatabase(how)
    if (!opened.ok) return opened
    const database = opened.value
    undo.push(() => database.close())
    try {
      const parts = await fill(database, undo)
      // After a rebuild, clients must see at least what they saw before: unfinished work is resumed first.
      if (how.rebuild) await begin(parts)
      const shown = await show(parts)
      if (!shown.ok) return shown
      if (!how.rebuild) await begin(parts)
      database.damaged.throwIfAborted()
    } catch (error) {
      const { aborted, reason } = database.damaged
      if (aborted && reason instanceof DatabaseDiskError)
        return fail({
          code: 'database_unusable',
          message: `The disk of the database failed: ${reason.message}`,
        })
      if (!aborted && !isDamageWhileFilled(error)) return fail(lackIn(error))
      return fail({ code: 'database_damaged', message: `The database is damaged: ${error}` })
    }
    database.damaged.addEventListener('abort', () => {
      repairing = mend(database.damaged.reason)
    })
    return succeed(undefined)
  }

  /** After a failed sync the disk holds everything that was acknowledged: the database is reopened from there. */
  async function reopen(reason: unknown): Promise<Result<void, Failure>> {
    if (reason instanceof DatabaseDiskError) {
      log.error({ reason: reason.message }, 'the embedded database failed; reopening it from disk')
      await runCleanup(undo, log)
      reopenedAt = performance.now()
      return openAsItIs()
    }
    return openAnew(reason)
  }

  async function openAsItIs(): Promise<Result<void, Failure>> {
    const opened = await open({ rebuild: false })
    if (opened.ok || !OF_NO_USE.includes(opened.failure.code)) return opened
    return openAnew(opened.failure.message)
  }

  async function openAnew(reason: unknown): Promise<Result<void, Failure>> {
    log.error({ reason: String(reason) }, 'the database cannot be used; creating an empty one in its place')
    await runCleanup(undo, log)
    rebuiltAt = performance.now()
    return open({ rebuild: true })
  }

  /** Retries while the cause may pass, such as a full disk; gives up on a database that is damaged when new. */
  async function mend(reason: unknown): Promise<void> {
    const restedAt = reason instanceof DatabaseDiskError ? reopenedAt + REOPEN_REST_MS : rebuiltAt + REST_MS
    await pause(Math.max(0, restedAt - performance.now()), stopping.signal)
    const again = async () => {
      if (stopping.signal.aborted) return
      const opened = await reopen(reason)
      if (opened.ok) log.info({}, 'the database is open again')
      else if (opened.failure.code === 'database_damaged')
        log.error({ reason: opened.failure.message }, BEYOND)
      else throw new Error(opened.failure.message)
    }
    const onFailure = (error: unknown) =>
      log.error({ reason: String(error) }, 'could not reopen or rebuild the database; retrying')
    await retry(again, { until: stopping.signal, onFailure })
  }

  return {
    start: openAsItIs,
    async stop() {
      stopping.abort()
      await repairing
      await runCleanup(undo, log)
    },
  }
}

const BEYOND =
  'the new database is damaged as well; move the data folder to a healthy disk and start the server again'

/** Rethrows errors that are bugs. */
function lackIn(error: unknown): Failure {
  if (error instanceof ServerRefusedError) return { code: 'refused', message: error.message }
  if (error instanceof WrongFolderError) return { code: 'wrong_folder', message: error.message }
  const want = wantIn(error)
  if (want === null) throw error
  const reason = error instanceof Error ? error.message : String(error)
  return {
    code: 'lacking',
    message: `The start failed (${reason}). ${remedyFor(want)}, and start the server again.`,
  }
}
