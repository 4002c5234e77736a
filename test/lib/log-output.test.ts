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

test('what waits for its reader has a limit, and how many lines are missing is told where they are', async () => {
  const { seen, read, stream } = slowReader()
  const told = (lines: number) => output.write(`(${lines})\n`)
  const output = createLogOutput(stream, { onLost: told, mostWaitingBytes: 10 })
  for (const line of ['1é\n', '2\n', '3\n', '4\n', '5\n', '6\n']) output.write(line)
  await read()
  // Room for one, but not yet half of it.
  output.write('7\n')
  await read()
  output.write('8\n')
  for (let lines = 0; lines < 5; lines++) await read()
  expect(seen).toEqual(['1é\n', '2\n', '3\n', '4\n', '(3)\n', '8\n'])
})

test('what is missing is told without another line, when all is read', async () => {
  const { read, stream } = slowReader()
  const lost: number[] = []
  const output = createLogOutput(stream, { onLost: (lines) => lost.push(lines), mostWaitingBytes: 2 })
  for (const line of ['1\n', '2\n', '3\n']) output.write(line)
  expect(lost).toEqual([])
  await read()
  expect(lost).toEqual([2])
})

test('a line that is longer than all that may wait is written where nothing waits', async () => {
  const { seen, read, stream } = slowReader()
  const output = createLogOutput(stream, { onLost: () => {}, mostWaitingBytes: 2 })
  output.write('too long\n')
  let isDrained = false
  const drained = output.drained().then(() => {
    isDrained = true
  })
  await new Promise(setImmediate)
  expect(isDrained).toBe(false)
  await read()
  await drained
  expect(seen).toEqual(['too long\n'])
})
