// The thread of the embedded Postgres, so that neither its work nor a slow disk blocks the server's event loop.
// Executes the orders of embedded-postgres.ts in sequence.

import { PGlite, types } from '@electric-sql/pglite'
import { collectGarbageEvery } from '../src/lib/idle-memory.ts'
import { readOwnFile } from '../src/lib/own-files.ts'
import { type DurableFiles, durableFiles } from './durable-files.ts'
import type { Start, ThreadAnswer, ThreadFailure, ThreadOrder } from './embedded-postgres.ts'
import { readEmptyCluster } from './empty-cluster.ts'
import { preparing, preparingForQueue } from './prepared.ts'

/** The globals of a worker, which the types of the whole process lack. */
declare const self: {
  onmessage: (event: { data: ThreadOrder }) => void
  postMessage(answer: ThreadAnswer): void
}

/**
 * How much of its journal stays after a checkpoint. Postgres makes no checkpoint by itself in a single process, so
 * without one the journal grows as long as the server runs. Its default is 1 GB.
 */
const JOURNAL_LIMIT = 'max_wal_size=128MB'

/**
 * The system caches the files, too: these buffers hold them a second time and are never released. With Postgres's
 * default, 128 MB, a server grows until all of it has been used once; searches among 100,000 captures are as fast with
 * this.
 */
const BUFFERS = 'shared_buffers=32MB'

/** PGlite starts Postgres without fsync (`-F`); its default method, fdatasync, does nothing in WebAssembly. */
const START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['-c', 'wal_sync_method=fsync', '-c', JOURNAL_LIMIT, '-c', BUFFERS],
]

/**
 * Collects garbage after this many queries: a result leaves some 40 kB that the runtime does not count. A server that
 * ran 12,000 queries in ten seconds grew from 178 to 342 MiB, with this to 257.
 */
const COLLECT_EVERY = 250

/** Drizzle parses times and such arrays itself. */
const AS_TEXT = Object.fromEntries(
  [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, 1231, 1115, 1185, 1187, 1182].map(
    (type) => [type, (value: string) => value],
  ),
)

type Running = { pglite: PGlite; files: DurableFiles; clients: ReturnType<typeof clientsOf> }

const clientsOf = (pglite: PGlite) => ({
  plain: pglite,
  orm: preparing(pglite),
  queue: preparingForQueue(pglite),
})

/** Read while the server still loads. */
const bundle = readOwnFile('node_modules/@electric-sql/pglite/pglite.data')
bundle.catch(() => {})

const leaveBehind = collectGarbageEvery(COLLECT_EVERY, 'meanwhile')
let running: Running | null = null

async function start({ folder, module, isEmpty }: Start): Promise<void> {
  const files = durableFiles(folder)
  files.failed.addEventListener('abort', () =>
    self.postMessage({ kind: 'disk failed', reason: files.failed.reason.reason }),
  )
  const pglite = await PGlite.create({
    fs: files,
    pgliteWasmModule: module,
    fsBundle: new Blob([await bundle]),
    startParams: START_PARAMS,
    ...(isEmpty && { loadDataDir: await readEmptyCluster() }),
  })
  running = { pglite, files, clients: clientsOf(pglite) }
}

async function obey(order: ThreadOrder): Promise<unknown> {
  if (order.kind === 'start') return start(order)
  if (running === null) throw new Error('the database is not open')
  const { pglite, files, clients } = running
  files.failed.throwIfAborted()
  switch (order.kind) {
    case 'query': {
      leaveBehind(1)
      const { client, text, parameters, rowMode } = order
      const options = { ...(rowMode && { rowMode }), ...(client !== 'queue' && { parsers: AS_TEXT }) }
      const { rows, affectedRows, fields } = await clients[client].query(text, parameters, options)
      return { rows, affectedRows, fields }
    }
    case 'exec':
      return (await clients[order.client].exec(order.text)).map(({ rows, fields }) => ({ rows, fields }))
    case 'sync':
      return files.synced()
    case 'close':
      return pglite.close()
  }
}

self.onmessage = async ({ data: order }) => {
  const { id } = order
  try {
    const value = await obey(order)
    self.postMessage({ kind: 'done', id, value, isSynced: running?.files.isSynced ?? true })
  } catch (error) {
    // An aborted Postgres may loop forever at the next query.
    if (error instanceof WebAssembly.RuntimeError) running = null
    self.postMessage({ kind: 'failed', id, failure: failureOf(error) })
  }
}

/** Errors lose their class and their code between threads. */
function failureOf(error: unknown): ThreadFailure {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  if (error instanceof WebAssembly.RuntimeError) return { message, code, class: 'RuntimeError' }
  return { message, code, class: error instanceof RangeError ? 'RangeError' : 'Error' }
}
