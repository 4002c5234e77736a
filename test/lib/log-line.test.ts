import { expect, test } from 'bun:test'
import { logLine } from '../../src/lib/log.ts'

test('formats an entry as one line: the message, then each field with its value', () => {
  const fields = { method: 'POST', route: '/captures/{id}', status: 200, seconds: 0.384 }
  expect(logLine(fields, 'answered')).toBe(
    'answered method=POST route=/captures/{id} status=200 seconds=0.384',
  )
  expect(logLine({}, 'stopping')).toBe('stopping')
})

test('quotes values with spaces, line breaks or escapes, and joins lists with commas', () => {
  expect(logLine({ data: '/home/a b', reason: 'x\n\u001b[31my', note: '' }, 'ready')).toBe(
    'ready data="/home/a b" reason="x\\n\\u001b[31my" note=""',
  )
  expect(logLine({ ignored: ['keywords[]', 'api-version'], job: null, last: false }, 'fields')).toBe(
    'fields ignored=keywords[],api-version job=null last=false',
  )
})

test('puts a stack trace below the line', () => {
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
