// The order in which an index is opened, with stub databases; test/db/damage.test.ts tests real damage.

import { expect, test } from 'bun:test'
import type { Database } from '../db/database.ts'
import { superviseDatabase } from '../src/database-supervisor.ts'
import { DatabaseDiskError } from '../src/lib/database-errors.ts'
import { silentLog } from '../src/lib/log.ts'
import { succeed } from '../src/lib/result.ts'
import { until } from './support/until.ts'

test('a database that is rebuilt while the server runs serves requests after its unfinished work has resumed', async () => {
  const steps: string[] = []
  const damages: AbortController[] = []
  const keeper = superviseDatabase<string>({
    async openDatabase({ rebuild }) {
      steps.push(rebuild ? 'open rebuild' : 'open')
      const damage = new AbortController()
      damages.push(damage)
      return succeed({ damaged: damage.signal, close: async () => {} } as Database)
    },
    fill: async () => 'parts',
    async show() {
      steps.push('show')
      return succeed(undefined)
    },
    begin: async () => void steps.push('begin'),
    log: silentLog,
  })
  await keeper.start()
  expect(steps.splice(0)).toEqual(['open', 'show', 'begin'])
  damages[0]!.abort(new Error('invalid page'))
  await until(() => steps.length === 3, { what: 'the database to be rebuilt' })
  expect(steps).toEqual(['open rebuild', 'begin', 'show'])
  await keeper.stop()
})

test('a database whose disk failed is reopened as it is, and not moved aside', async () => {
  const steps: string[] = []
  const damages: AbortController[] = []
  const keeper = superviseDatabase<string>({
    async openDatabase({ rebuild }) {
      steps.push(rebuild ? 'open rebuild' : 'open')
      const damage = new AbortController()
      damages.push(damage)
      return succeed({ damaged: damage.signal, close: async () => void steps.push('close') } as Database)
    },
    // The disk fails once more while the second one is filled.
    async fill() {
      if (damages.length === 2) damages[1]!.abort(new DatabaseDiskError('EIO'))
      return 'parts'
    },
    show: async () => succeed(undefined),
    begin: async () => {},
    log: silentLog,
  })
  await keeper.start()
  damages[0]!.abort(new DatabaseDiskError('EIO'))
  await until(() => damages.length === 3, { what: 'the database to be opened again' })
  expect(steps).toEqual(['open', 'close', 'open', 'close', 'open'])
  await keeper.stop()
})

test('refuses to set a database aside because the disk fails at the start', async () => {
  const opened: boolean[] = []
  const keeper = superviseDatabase<string>({
    async openDatabase({ rebuild }) {
      opened.push(rebuild)
      const damaged = AbortSignal.abort(new DatabaseDiskError('EIO'))
      return succeed({ damaged, close: async () => {} } as Database)
    },
    fill: async () => 'parts',
    show: async () => succeed(undefined),
    begin: async () => {},
    log: silentLog,
  })
  expect(await keeper.start()).toMatchObject({ ok: false, failure: { code: 'database_unusable' } })
  expect(opened).toEqual([false])
  await keeper.stop()
})
