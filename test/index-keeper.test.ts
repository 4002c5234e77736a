// The order in which an index is opened, with databases written by hand: what real damage does is test/db/damage.test.ts.

import { expect, test } from 'bun:test'
import type { Database } from '../db/database.ts'
import { createIndexKeeper } from '../src/index-keeper.ts'
import { silentLog } from '../src/lib/log.ts'
import { succeed } from '../src/lib/result.ts'
import { until } from './support/until.ts'

test('an index that is made anew while the server runs is shown when what was left to do is taken up', async () => {
  const steps: string[] = []
  const damages: AbortController[] = []
  const keeper = createIndexKeeper<string>({
    async openDatabase({ anew }) {
      steps.push(anew ? 'open anew' : 'open')
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
  await until(() => steps.length === 3, { timeoutMs: 10_000, what: 'the index to be made anew' })
  expect(steps).toEqual(['open anew', 'begin', 'show'])
  await keeper.stop()
})
