// Lines of the log whose reader is slow, in a stream that is read when the test says so.
// A real server whose log is not read is test/api/log-readers.test.ts's.

import { expect, test } from 'bun:test'
import { Writable } from 'node:stream'
import { createLogOutput } from '../../src/lib/log-output.ts'

/** A reader of one line at each call. */
function slowReader() {
  const seen: string[] = []
  const waiting: (() => void)[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      seen.push(line)
      waiting.push(done)
    },
  })
  const read = async () => {
    waiting.shift()?.()
    await new Promise(setImmediate)
  }
  return { seen, read, stream }
}

test('what waits for its reader has a limit, and how many lines were left out is told when the others are read', async () => {
  const { seen, read, stream } = slowReader()
  const lost: number[] = []
  const output = createLogOutput(stream, { onLost: (lines) => lost.push(lines), mostWaitingBytes: 6 })
  for (const line of ['1é\n', '2\n', '3\n', '4\n']) output.write(line)
  await read()
  expect(lost).toEqual([])
  await read()
  expect(lost).toEqual([2])
  output.write('5\n')
  await read()
  expect([seen, lost]).toEqual([['1é\n', '2\n', '5\n'], [2]])
})
