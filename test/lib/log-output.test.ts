import { expect, test } from 'bun:test'
import { Writable } from 'node:stream'
import { createLogOutput } from '../../src/lib/log.ts'

/** A reader that takes one line per call. */
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

test('limits the lines that wait, and reports the number of dropped lines in their place', async () => {
  const { seen, read, stream } = slowReader()
  const onLost = (lines: number) => output.write(`(${lines})\n`)
  const output = createLogOutput(stream, { onLost, maxWaitingBytes: 10 })
  for (const line of ['1é\n', '2\n', '3\n', '4\n', '5\n', '6\n']) output.write(line)
  await read()
  // There is room for one line, but less than half of the buffer is free.
  output.write('7\n')
  await read()
  output.write('8\n')
  for (let lines = 0; lines < 5; lines++) await read()
  expect(seen).toEqual(['1é\n', '2\n', '3\n', '4\n', '(3)\n', '8\n'])
})

test('reports dropped lines without a further line once everything is read', async () => {
  const { read, stream } = slowReader()
  const lost: number[] = []
  const output = createLogOutput(stream, { onLost: (lines) => lost.push(lines), maxWaitingBytes: 2 })
  for (const line of ['1\n', '2\n', '3\n']) output.write(line)
  expect(lost).toEqual([])
  await read()
  expect(lost).toEqual([2])
})

test('writes a line longer than the limit if no other line waits', async () => {
  const { seen, read, stream } = slowReader()
  const output = createLogOutput(stream, { onLost: () => {}, maxWaitingBytes: 2 })
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
