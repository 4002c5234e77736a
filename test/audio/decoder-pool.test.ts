import { expect, test } from 'bun:test'
import { createDecoderPool, type DecoderPool } from '../../src/audio/decoder-pool.ts'
import { until } from '../support/until.ts'

type Child = ReturnType<DecoderPool['take']>

const PLAIN = { samples: 16_000, usedFfmpeg: false }
const BY_FFMPEG = { samples: 16_000, usedFfmpeg: true }

function pool(most: number, ffmpegKeptMs?: number) {
  const made = createDecoderPool(most, ffmpegKeptMs)
  return { ...made, [Symbol.asyncDispose]: () => made.close() }
}

const hasEnded = (child: Child) => until(() => !child.alive(), { what: 'the end of a process' })

test('keeps one idle process and ends a second one', async () => {
  await using processes = pool(2)
  const [one, two] = [processes.take(), processes.take()]
  processes.giveBack(one, PLAIN)
  processes.giveBack(two, PLAIN)
  await hasEnded(two)
  expect(processes.take()).toBe(one)
  processes.giveBack(one, PLAIN)
})

test('keeps as many idle processes with FFmpeg as can work at once, and uses them first', async () => {
  await using processes = pool(2)
  const [plain, one, two, three] = [0, 1, 2, 3].map(() => processes.take()) as [Child, Child, Child, Child]
  processes.giveBack(plain, PLAIN)
  processes.giveBack(one, BY_FFMPEG)
  processes.giveBack(two, BY_FFMPEG)
  await hasEnded(two)
  expect(processes.take()).toBe(one)
  expect(processes.take()).toBe(plain)
  processes.giveBack(one, PLAIN)
  processes.giveBack(three, BY_FFMPEG)
  expect([processes.take(), processes.take()]).toEqual([one, three])
  for (const child of [plain, one, three]) await child.kill()
})

test('replaces a process whose FFmpeg is unused with a small one', async () => {
  await using processes = pool(2, 100)
  const used = processes.take()
  processes.giveBack(used, BY_FFMPEG)
  await hasEnded(used)
  const next = processes.take()
  expect(next).not.toBe(used)
  expect(await next.ready).toBe(true)
  processes.giveBack(next, PLAIN)
})

test('ends a process whose time expired while it was busy when it is given back', async () => {
  await using processes = pool(2, 100)
  const used = processes.take()
  processes.giveBack(used, BY_FFMPEG)
  expect(processes.take()).toBe(used)
  const other = processes.take()
  processes.giveBack(other, BY_FFMPEG)
  // Its own time started later.
  await hasEnded(other)
  processes.giveBack(used, PLAIN)
  await hasEnded(used)
})

test('replaces a process that has decoded ten minutes of audio', async () => {
  await using processes = pool(2)
  const used = processes.take()
  processes.giveBack(used, { samples: 600 * 16_000, usedFfmpeg: false })
  await hasEnded(used)
  expect(processes.take()).not.toBe(used)
})

test('ends each process after its recording if none may be idle', async () => {
  await using processes = pool(0)
  processes.refill({ preloadFfmpeg: false })
  const child = processes.take()
  processes.giveBack(child, BY_FFMPEG)
  await hasEnded(child)
})
