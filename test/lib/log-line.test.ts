// How an entry of the log stands on a terminal.

import { expect, test } from 'bun:test'
import { logLine } from '../../src/lib/log-line.ts'

test('an entry is one line: what happened, then each field with its value', () => {
  const fields = { method: 'POST', route: '/captures/{id}', status: 200, seconds: 0.384 }
  expect(logLine(fields, 'answered')).toBe(
    'answered method=POST route=/captures/{id} status=200 seconds=0.384',
  )
  expect(logLine({}, 'stopping')).toBe('stopping')
})

test('what has spaces, breaks or escapes in it is quoted, and a list has commas', () => {
  expect(logLine({ data: '/home/a b', reason: 'x\n\u001b[31my', note: '' }, 'ready')).toBe(
    'ready data="/home/a b" reason="x\\n\\u001b[31my" note=""',
  )
  expect(logLine({ ignored: ['keywords[]', 'api-version'], job: null, last: false }, 'fields')).toBe(
    'fields ignored=keywords[],api-version job=null last=false',
  )
})

test('where an exception was thrown stands below the line', () => {
  const error = {
    name: 'TypeError',
    message: 'no such thing',
    stack: 'TypeError: no such thing\n    at here',
  }
  expect(logLine({ error_id: '1', error }, 'unexpected error')).toBe(
    'unexpected error error_id=1\nTypeError: no such thing\n    at here',
  )
  expect(logLine({ error: {} }, 'unexpected error')).toBe('unexpected error error={}')
})
