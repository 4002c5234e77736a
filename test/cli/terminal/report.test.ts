// The progress output of a command. Fake streams and a fake clock: a terminal of known width, and no waiting.

import { expect, test } from 'bun:test'
import { addressOf } from '../../../src/cli/connection/address.ts'
import { createPace } from '../../../src/cli/terminal/pace.ts'
import { createReport, speedOf } from '../../../src/cli/terminal/report.ts'

function screen(isTTY: boolean, { columns = 60, isQuiet = false } = {}) {
  const written = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') =>
    ({
      isTTY,
      columns,
      write(text: string) {
        written[name] += text
      },
    }) as never
  const given = { isJson: false, isQuiet, hasEvents: true, hasProgress: true }
  return { written, report: createReport({ stdout: stream('stdout'), stderr: stream('stderr'), ...given }) }
}

const waitedFor = (soFar: string) => ({ what: 'The server is away; waiting.', soFar })

test('draws a bar over the previous one, within the width of the terminal', () => {
  const { written, report } = screen(true)
  report.progress({ done: 1, total: 4, text: '0 failed' })
  report.progress({ done: 2, total: 4, text: `1 failed  ${'x'.repeat(80)}` })
  const [first, second] = written.stderr.split('\r\x1b[K')
  expect(first).toBe('[######..................] 1/4 0 failed')
  expect(second).toStartWith('[############............] 2/4 1 failed  x')
  expect(second).toHaveLength(59)
})

test('draws a whole bar on a terminal of unknown width', () => {
  const { written, report } = screen(true, { columns: 0 })
  report.progress({ done: 1, total: 4, text: '0 failed' })
  expect(written.stderr).toEndWith(' 1/4 0 failed')
})

test('shows the waiting time on a terminal, and writes the reason once to a file', () => {
  const terminal = screen(true)
  terminal.report.waiting(waitedFor('waiting 0:01 of 1:00'))
  terminal.report.waiting(waitedFor('waiting 0:02 of 1:00'))
  expect(terminal.written.stderr).toBe('waiting 0:01 of 1:00\r\x1b[Kwaiting 0:02 of 1:00')
  const file = screen(false)
  for (const at of ['0:01', '0:02']) file.report.waiting(waitedFor(at))
  expect(file.written).toEqual({ stdout: '', stderr: 'The server is away; waiting.\n' })
  file.report.event('progress', {})
  file.report.waiting(waitedFor('0:01'))
  expect(file.written.stderr).toBe('The server is away; waiting.\n'.repeat(2))
})

test('writes only failures and results if it is quiet', () => {
  const { written, report } = screen(true, { isQuiet: true })
  report.progress({ done: 1, total: 2, text: '' })
  report.waiting(waitedFor('0:01'))
  report.note('1 imported.')
  report.say('a.wav: not a recording')
  report.result('text\n')
  expect(written).toEqual({ stdout: 'text\n', stderr: 'a.wav: not a recording\n' })
})

test('the pace is that of the last half minute', () => {
  let nowMs = 0
  const pace = createPace(() => nowMs)
  expect(pace({ done: 0, total: 1000 })).toBeNull()
  nowMs = 500
  expect(pace({ done: 400, total: 1000 })).toBeNull()
  nowMs = 10_000
  expect(pace({ done: 500, total: 1000 })).toEqual({ perSecond: 50, secondsLeft: 10 })
  nowMs = 30_000
  pace({ done: 520, total: 1000 })
  nowMs = 60_000
  expect(pace({ done: 550, total: 1000 })).toEqual({ perSecond: 1, secondsLeft: 450 })
})

test('a speed has the unit that fits it', () => {
  expect([64_000, 999_000, 2_140_000].map(speedOf)).toEqual(['64 kB/s', '999 kB/s', '2.1 MB/s'])
})

test.each([
  ['localhost:17493', 'http://localhost:17493'],
  ['192.168.1.5:80/', 'http://192.168.1.5:80/'],
  ['[::1]:17493', 'http://[::1]:17493'],
  ['https://dictation.example', 'https://dictation.example'],
])('%s is an address', (text, url) => expect(addressOf(text)).toBe(url))

test.each(['here', '', 'ftp://localhost:1', 'localhost:much', 'http://', ':17493'])(
  'refuses "%s" as an address',
  (text) => expect(addressOf(text)).toBeNull(),
)
