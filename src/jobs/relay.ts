// Passes events on to the other servers of the database, by NOTIFY. A message carries ids only and may be lost: whatever
// must not be missed is looked up in the rows as well.

import type { PgBoss } from 'pg-boss'
import type { Database } from '../../db/database.ts'
import type { ArchiveEvent, EventBus } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'

const CHANNEL = 'local_dictation'
/** Postgres limits a message to 8,000 bytes; an event has about 200. */
const MAX_EVENTS = 30
/** Events that wait while the database is away; those beyond are as lost as those that were sent meanwhile. */
const MAX_WAITING = 1000

/** `library`: the dictionary, writing styles, saved commands or settings have changed. */
type Notice = { event: ArchiveEvent } | { library: true }
type Message = { from: string; notices: Notice[] }

export type Receiver = {
  /** after its publication on this server */
  onEvent(event: ArchiveEvent): void
  onLibraryChanged(): void
  /** messages may have been lost */
  onGap(): void
}

export type Relay = {
  libraryChanged(): void
  /** starts both directions */
  open(boss: PgBoss, receiver: Receiver): Promise<void>
  stop(): Promise<void>
}

type Deps = {
  database: Pick<Database, 'kind'>
  events: Pick<EventBus, 'publish' | 'subscribe'>
  /** of this server */
  runId: string
  log: Log
}

/** An embedded database has one server: nothing is passed on. */
export function createRelay({ database, events, runId, log }: Deps): Relay {
  let waiting: Notice[] = []
  let sending = false
  let boss: PgBoss | null = null
  let isForeign = false
  let close = async () => {}

  async function send(): Promise<void> {
    if (boss === null || sending) return
    sending = true
    while (waiting.length > 0) {
      const message: Message = { from: runId, notices: waiting.splice(0, MAX_EVENTS) }
      await boss
        .getDb()
        .executeSql('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(message)])
        .catch((error: unknown) =>
          log.debug({ reason: String(error) }, 'could not pass events on to the other servers'),
        )
    }
    sending = false
  }

  function passOn(notice: Notice): void {
    if (boss === null) return
    waiting.push(notice)
    if (waiting.length > MAX_WAITING) waiting.shift()
    void send()
  }

  function receive(payload: string, { onEvent, onLibraryChanged }: Receiver): void {
    const { from, notices } = JSON.parse(payload) as Message
    if (from === runId) return
    for (const one of notices)
      if ('event' in one) {
        isForeign = true
        events.publish(one.event)
        isForeign = false
        onEvent(one.event)
      } else onLibraryChanged()
  }

  return {
    libraryChanged: () => passOn({ library: true }),
    async open(opened, receiver) {
      if (database.kind === 'embedded') return
      boss = opened
      const unsubscribe = events.subscribe(({ event }) => {
        // A model is downloaded into the folder of one server.
        if (!isForeign && event.name !== 'model.progress' && event.name !== 'reset') passOn({ event })
      })
      let isFirst = true
      const onConnected = () => {
        if (!isFirst) receiver.onGap()
        isFirst = false
      }
      const listening = await boss
        .getDb()
        .listen?.(CHANNEL, (payload) => receive(payload, receiver), onConnected)
      close = async () => {
        unsubscribe()
        boss = null
        waiting = []
        await listening?.close()
      }
    },
    stop: () => close(),
  }
}
