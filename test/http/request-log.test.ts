// What the log says of requests and recordings.

import { expect, test } from 'bun:test'
import { logAnswered, logHeard } from '../../src/http/server/request-log.ts'
import type { Log } from '../../src/lib/log.ts'

function lines() {
  const said: unknown[] = []
  const at = (level: string) => (fields: object, message: string) =>
    void said.push({ level, ...fields, message })
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  return { said, log }
}

test('a request is a line with its route, status and time', () => {
  const { said, log } = lines()
  logAnswered(log)({ method: 'GET', route: '/captures/{id}', status: 200, seconds: 0.0123456 })
  expect(said).toEqual([
    {
      level: 'info',
      method: 'GET',
      route: '/captures/{id}',
      status: 200,
      seconds: 0.012,
      message: 'answered',
    },
  ])
})

test('what programs ask again and again is for debugging, unless it was refused', () => {
  const { said, log } = lines()
  for (const status of [200, 403]) logAnswered(log)({ method: 'GET', route: '/health', status, seconds: 0 })
  expect(said).toMatchObject([{ level: 'debug' }, { level: 'info', status: 403 }])
})

test('a recording is a line with its length and the time it took, and no word of it', () => {
  const { said, log } = lines()
  logHeard(log)({ model: 'base', audioMs: 5300, processingMs: 250 })
  expect(said).toEqual([
    { level: 'info', model: 'base', audioSeconds: 5.3, seconds: 0.25, message: 'transcribed' },
  ])
})
