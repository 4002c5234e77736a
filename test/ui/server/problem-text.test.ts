import { expect, test } from 'bun:test'
import { PROBLEMS } from '../../../src/http/kernel/problem.ts'
import { problemText } from '../../../src/ui/server/problem-text.ts'
import { Refused } from '../../../src/ui/server/request.ts'
import { de } from '../../../src/ui/strings/de.ts'
import { en } from '../../../src/ui/strings/en.ts'

test('every problem of a capture has a text of the page, which calls it a recording', () => {
  const ofCaptures = Object.keys(PROBLEMS).filter((code) => code.startsWith('capture_'))
  expect(ofCaptures.length).toBeGreaterThan(4)
  for (const { problems } of [en, de]) {
    expect(Object.keys(problems)).toEqual(expect.arrayContaining(ofCaptures))
    for (const code of Object.keys(problems)) expect(Object.keys(PROBLEMS)).toContain(code)
    expect(Object.values(problems).join(' ')).not.toMatch(/capture/i)
  }
})

test('a refusal has the page’s text, or the server’s if the page has none', () => {
  const problem = { type: 'x', title: 'A title', status: 409 }
  expect(
    new Refused({ ...problem, code: 'capture_busy', detail: 'Job 1 works on this capture.' }).message,
  ).toBe(en.problems.capture_busy)
  expect(new Refused({ ...problem, code: 'unknown_model', detail: 'There is no model x.' }).message).toBe(
    'There is no model x.',
  )
  expect(problemText({ code: 'upload_interrupted', message: 'The end did not arrive.' })).toBe(
    'The end did not arrive.',
  )
})

test('a message of the server without a text of the page calls a capture a recording, too', () => {
  const text = (message: string) => problemText({ code: 'invalid_request', message })
  expect(text('filter matches every capture; captures in the trash are skipped.')).toBe(
    'filter matches every recording; recordings in the trash are skipped.',
  )
  expect(text('app "screencapture" is unknown.')).toBe('app "screencapture" is unknown.')
})
