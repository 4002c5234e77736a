// Resuming jobs that were running when the server crashed, with real files, database and queue.
// The crashes are simulated in the rows; `npm run torture -- crash` and `npm run torture -- children` make real ones.

import { expect } from 'bun:test'
import { sql } from 'drizzle-orm'
import { succeed } from '../../src/lib/result.ts'
import { capture, endedJob, openArchive, said, type TestArchive } from '../support/archive.ts'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder, type TestFolder } from '../support/database.ts'

/** Captures whose jobs were running at this many crashes in a row. */
async function interrupted(folder: TestFolder, ends: number[]) {
  await using archive = await openArchive({ folder, working: false })
  const made = []
  for (const attempts of ends) {
    const one = await capture(archive)
    const state = attempts > 0 ? 'active' : 'waiting'
    await archive.database.run((orm) =>
      orm.execute(sql`update jobs set state = ${state}, attempts = ${attempts} where id = ${one.jobId}`),
    )
    made.push(one)
  }
  return made
}

testAtLength('runs a job alone after ten crashes, and completes it', async () => {
  await using folder = await createTestFolder()
  const made = await interrupted(folder, [10, 10, 3, 2, 0])
  const atOnce: number[] = []
  await using archive: TestArchive = await openArchive({
    folder,
    async transcribe() {
      atOnce.push((await archive.jobs.counts()).active)
      return succeed(said('at last'))
    },
  })
  for (const { jobId } of made) expect(await endedJob(archive, jobId)).toMatchObject({ state: 'completed' })
  expect(atOnce.slice(0, 3)).toEqual([1, 1, 1])
})

testAtLength(
  'retries a job after ten more crashes once the server has stayed up, also after crashes without it',
  async () => {
    await using folder = await createTestFolder()
    const [healthy, canceled] = await interrupted(folder, [13, 14])
    // Twelve more crashes of a server that never stayed up: the job was not running, so they do not count.
    for (let end = 0; end < 12; end++) {
      await using archive = await openArchive({ folder })
      expect(await archive.jobs.get(healthy!.jobId)).toMatchObject({ state: 'waiting', attempts: 13 })
      expect((await archive.captures.get(healthy!.capture.id))?.status).toBe('pending')
    }
    await using archive = await openArchive({ folder, stayedUpMs: [1, 60_000, 60_000] })
    expect(await archive.jobs.cancel(canceled!.jobId)).toBe(true)
    expect(await endedJob(archive, healthy!.jobId)).toMatchObject({ state: 'completed', attempts: 14 })
    expect(await archive.jobs.get(canceled!.jobId)).toMatchObject({ state: 'canceled' })
  },
  120_000,
)

testAtLength('fails a job after three more crashes, keeps its audio, and continues the others', async () => {
  await using folder = await createTestFolder()
  const [poison, other] = await interrupted(folder, [16, 2])
  await using archive = await openArchive({ folder })
  expect(await archive.jobs.get(poison!.jobId)).toMatchObject({
    state: 'failed',
    error: { code: 'gave_up', message: expect.stringContaining('16 times') },
  })
  expect(await archive.captures.get(poison!.capture.id)).toMatchObject({
    status: 'failed',
    audioAvailable: true,
  })
  expect(await endedJob(archive, other!.jobId)).toMatchObject({ state: 'completed' })
})
