// The embedded Postgres from the server's thread: one connection to a separate thread (embedded-thread.ts).

import type { QueryOptions, Results } from '@electric-sql/pglite'
import { DatabaseDiskError } from '../src/lib/database-errors.ts'
import { createKeyedLock } from '../src/lib/keyed-lock.ts'
import { pause } from '../src/lib/retry.ts'
import type { EmbeddedStart } from './embedded-start.ts'

export type Start = {
  folder: string
  module: WebAssembly.Module
  /** the folder is first filled with an empty cluster */
  isEmpty: boolean
}

/** `orm` and `queue` prepare frequent statements. */
type ClientName = 'plain' | 'orm' | 'queue'

export type ThreadOrder = { id: number } & (
  | ({ kind: 'start' } & Start)
  | { kind: 'query'; client: ClientName; text: string; parameters: unknown[]; rowMode: RowMode }
  | { kind: 'exec'; client: 'plain' | 'queue'; text: string }
  | { kind: 'sync' }
  | { kind: 'close' }
)

export type ThreadFailure = {
  message: string
  code: string | null
  class: 'Error' | 'RangeError' | 'RuntimeError'
}

/** `isSynced`: everything committed so far is on the disk. */
export type ThreadAnswer =
  | { kind: 'done'; id: number; value: unknown; isSynced: boolean }
  | { kind: 'failed'; id: number; failure: ThreadFailure }
  | { kind: 'disk failed'; reason: string }

type RowMode = QueryOptions['rowMode']
type Query = <T>(text: string, parameters?: unknown[], options?: QueryOptions) => Promise<Results<T>>

/** The methods that Drizzle's session and pg-boss need of a client. */
export type PostgresClient = {
  query: Query
  exec(text: string): Promise<Results[]>
  /** All or nothing; other queries wait until it ends. */
  transaction<T>(work: (tx: { query: Query }) => Promise<T>): Promise<T>
}

export type EmbeddedPostgres = {
  client(name: ClientName): PostgresClient
  /** Fires when the disk fails, or the thread exits: Postgres may assume more than the disk holds. */
  failed: AbortSignal
  /** Resolves once everything committed before the call is on the disk; rejects with a DatabaseDiskError. */
  synced(): Promise<void>
  /** True if Postgres shut down cleanly before the deadline. The thread ends in any case. */
  close(deadlineMs: number): Promise<boolean>
}

const CLOSED = 'the database is closed'

export async function startEmbeddedPostgres(
  place: Omit<Start, 'module'>,
  embedded: EmbeddedStart,
): Promise<EmbeddedPostgres> {
  const module = await embedded.module
  const thread = embedded.thread()
  const failure = new AbortController()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let orders = 0
  let isSynced = true
  let isClosed = false

  thread.onmessage = ({ data: answer }: MessageEvent<ThreadAnswer>) => {
    if (answer.kind === 'disk failed') return end(answer.reason)
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (answer.kind === 'done') isSynced = answer.isSynced
    // Outside the handler: no other message arrives while code that this message triggers holds the handler open, as
    // Bun's `expect(…).rejects` does.
    setImmediate(() => {
      if (answer.kind === 'done') call?.resolve(answer.value)
      else call?.reject(errorOf(answer.failure))
    })
  }
  thread.onerror = ({ message }) => end(`the thread of the database ended: ${message}`)

  function end(reason: string): void {
    isClosed = true
    failure.abort(new DatabaseDiskError(reason))
    terminate(failure.signal.reason)
  }

  /** Rejects all pending requests, since no answer can come any more. */
  function terminate(reason: unknown): void {
    thread.terminate()
    for (const { reject } of waiting.values()) reject(reason)
    waiting.clear()
  }

  type Unnumbered<T> = T extends ThreadOrder ? Omit<T, 'id'> : never
  function request<T>(order: Unnumbered<ThreadOrder>): Promise<T> {
    if (isClosed) return Promise.reject(new Error(CLOSED))
    const id = orders++
    const answered = Promise.withResolvers<unknown>()
    waiting.set(id, answered)
    thread.postMessage({ ...order, id })
    return answered.promise as Promise<T>
  }

  const lock = createKeyedLock()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => lock('connection', work)
  const client = (name: ClientName): PostgresClient => {
    const query: Query = (text, parameters = [], options) =>
      request({ kind: 'query', client: name, text, parameters, rowMode: options?.rowMode })
    return {
      query: (...call) => inTurn(() => query(...call)),
      exec: (text) =>
        inTurn(() => request({ kind: 'exec', client: name === 'queue' ? 'queue' : 'plain', text })),
      transaction: (work) =>
        inTurn(async () => {
          await query('begin')
          try {
            const result = await work({ query })
            await query('commit')
            return result
          } catch (error) {
            // If that fails, too, the first error is more informative.
            await query('rollback').catch(() => {})
            throw error
          }
        }),
    }
  }

  try {
    await request({ kind: 'start', ...place, module })
  } catch (error) {
    terminate(error)
    throw error
  }
  return {
    client,
    failed: failure.signal,
    async synced() {
      failure.signal.throwIfAborted()
      if (!isSynced) await request({ kind: 'sync' })
    },
    async close(deadlineMs) {
      if (isClosed) return false
      const closing = request({ kind: 'close' }).then(
        () => true,
        () => false,
      )
      isClosed = true
      const over = new AbortController()
      const isInOrder = await Promise.race([closing, pause(deadlineMs, over.signal).then(() => false)])
      over.abort()
      terminate(new Error(CLOSED))
      return isInOrder
    },
  }
}

function errorOf({ message, code, class: kind }: ThreadFailure): Error {
  if (kind === 'RuntimeError') return new WebAssembly.RuntimeError(message)
  const error = kind === 'RangeError' ? new RangeError(message) : new Error(message)
  return code === null ? error : Object.assign(error, { code })
}
