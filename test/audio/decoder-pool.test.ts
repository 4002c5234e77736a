// Which decoder processes wait for the next recording, and how long those that have compiled FFmpeg do.

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

const isGone = (child: Child) => until(() => !child.alive(), { what: 'the end of a process' })

test('one process waits for the next recording, and no second one', async () => {
  await using processes = pool(2)
  const [one, two] = [processes.take(), processes.take()]
  processes.giveBack(one, PLAIN)
  processes.giveBack(two, PLAIN)
  await isGone(two)
  expect(processes.take()).toBe(one)
  processes.giveBack(one, PLAIN)
})

test('as many as work at once wait where FFmpeg is compiled, and the next recording gets one of them', async () => {
  await using processes = pool(2)
  const [plain, one, two, three] = [0, 1, 2, 3].map(() => processes.take()) as [Child, Child, Child, Child]
  processes.giveBack(plain, PLAIN)
  processes.giveBack(one, BY_FFMPEG)
  processes.giveBack(two, BY_FFMPEG)
  await isGone(two)
  expect(processes.take()).toBe(one)
  expect(processes.take()).toBe(plain)
  processes.giveBack(one, PLAIN)
  processes.giveBack(three, BY_FFMPEG)
  expect([processes.take(), processes.take()]).toEqual([one, three])
  for (const child of [plain, one, three]) await child.kill()
})

test('a process whose FFmpeg nobody needs any more gives way to a small one', async () => {
  await using processes = pool(2, 100)
  const used = processes.take()
  processes.giveBack(used, BY_FFMPEG)
  await isGone(used)
  const next = processes.take()
  expect(next).not.toBe(used)
  expect(await next.ready).toBe(true)
  processes.giveBack(next, PLAIN)
})

test('a process that was working when its time was over goes when it is given back', async () => {
  await using processes = pool(2, 100)
  const used = processes.take()
  processes.giveBack(used, BY_FFMPEG)
  expect(processes.take()).toBe(used)
  const other = processes.take()
  processes.giveBack(other, BY_FFMPEG)
  // Its own time began later.
  await isGone(other)
  processes.giveBack(used, PLAIN)
  await isGone(used)
})

test('a process that has decoded ten minutes of sound is replaced', async () => {
  await using processes = pool(2)
  const worn = processes.take()
  processes.giveBack(worn, { samples: 600 * 16_000, usedFfmpeg: false })
  await isGone(worn)
  expect(processes.take()).not.toBe(worn)
})

test('where none is to wait, each goes after its recording', async () => {
  await using processes = pool(0)
  processes.refill({ preloadFfmpeg: false })
  const child = processes.take()
  processes.giveBack(child, BY_FFMPEG)
  await isGone(child)
})
