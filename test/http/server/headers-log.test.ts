import { expect, test } from 'bun:test'
import { logAnswered, logTranscribed } from '../../../src/http/server/headers.ts'
import type { Log } from '../../../src/lib/log.ts'

function lines() {
  const said: unknown[] = []
  const at = (level: string) => (fields: object, message: string) =>
    void said.push({ level, ...fields, message })
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  return { said, log }
}

test('logs the route, status and duration of a request', () => {
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

test('logs polled routes at debug level, unless they fail', () => {
  const { said, log } = lines()
  for (const status of [200, 403]) logAnswered(log)({ method: 'GET', route: '/health', status, seconds: 0 })
  expect(said).toMatchObject([{ level: 'debug' }, { level: 'info', status: 403 }])
})

test('logs the duration of a transcription, without its text', () => {
  const { said, log } = lines()
  logTranscribed(log)({ model: 'base', audioMs: 5300, processingMs: 250 })
  expect(said).toEqual([
    { level: 'info', model: 'base', audioSeconds: 5.3, seconds: 0.25, message: 'transcribed' },
  ])
})
