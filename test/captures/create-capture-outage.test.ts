// Recordings during a database outage. The embedded database has no outages, so its transactions are made to fail here;
// test/db/external-outage.test.ts cuts off a real Postgres at a proxy.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { DatabaseUnavailableError } from '../../src/lib/database-errors.ts'
import { capture, endedJob, openArchive, type TestArchive } from '../support/archive.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

/** A folder whose database can be made to fail. */
async function createFlakyFolder() {
  const folder = await createTestFolder()
  const state = { away: false, committing: false, refusing: false }
  const refuse = () => Promise.reject(new DatabaseUnavailableError('on purpose'))
  const open = async (): Promise<Database> => {
    const database = await folder.open()
    return {
      ...database,
      run: (work) => (state.away ? refuse() : database.run(work)),
      async transaction(work) {
        if (state.refusing || (state.away && !state.committing)) return refuse()
        const result = await database.transaction(work)
        return state.away ? refuse() : result
      },
    }
  }
  return { folder: { ...folder, open }, state, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

for (const committing of [false, true])
  test(`transcribes a recording from an outage when the database is back${committing ? ', even if the commit arrived' : ''}`, async () => {
    await using flaky = await createFlakyFolder()
    await using archive = await openArchive({ folder: flaky.folder })
    await archive.captures.checkRoom()
    Object.assign(flaky.state, { away: true, committing })
    const made = await capture(archive)
    expect(made).toMatchObject({ queued: false, capture: { status: 'pending' } })
    // A commit that arrived may already have started the job.
    expect(existsSync(join(archive.dataFolder, made.capture.audioPath))).toBe(true)
    flaky.state.away = false
    // Until it is queued there is no such job.
    await until(() => archive.jobs.get(made.jobId), { what: 'the job' })
    const job = await endedJob(archive, made.jobId)
    expect(job).toMatchObject({ state: 'completed', attempts: 1 })
    expect(await archive.captures.get(made.capture.id)).toMatchObject({ transcriptRaw: 'hello' })
  })

test('preserves ids and fields of a recording that waits for the database across a restart, and does not mark it as interrupted', async () => {
  await using flaky = await createFlakyFolder()
  const archive = await openArchive({ folder: flaky.folder, working: false })
  await archive.captures.checkRoom()
  flaky.state.away = true
  const said = {
    title: 'Lunch',
    language: 'de',
    appName: 'Mail',
    recordedAt: new Date('2019-05-01T12:00:00Z'),
  }
  const made = await capture(archive, said)
  expect(made.queued).toBe(false)
  expect(await readdir(join(archive.dataFolder, 'inbox'))).toEqual([`${made.capture.id}.json`])
  await archive.stop()
  flaky.state.away = false

  await using again = await openArchive({ folder: flaky.folder })
  expect(await endedJob(again, made.jobId)).toMatchObject({ state: 'completed' })
  const found = await again.captures.get(made.capture.id)
  expect(found).toMatchObject({ ...said, error: null, createdAt: made.capture.createdAt })
  expect(await readdir(join(archive.dataFolder, 'inbox'))).toEqual([])
})

test('refuses a recording with an error while the database is unreachable and the queue length unknown', async () => {
  await using flaky = await createFlakyFolder()
  await using archive = await openArchive({ folder: flaky.folder })
  flaky.state.away = true
  await expect(archive.captures.checkRoom()).rejects.toBeInstanceOf(DatabaseUnavailableError)
  flaky.state.away = false
  expect(await readdir(join(archive.dataFolder, 'inbox'))).toEqual([])
})

test('changes nothing when the database fails a deletion, and accepts the request again', async () => {
  await using flaky = await createFlakyFolder()
  await using archive = await openArchive({ folder: flaky.folder, working: false })
  const made = await finishedLater(archive)
  flaky.state.refusing = true
  await expect(archive.captures.remove(made.id)).rejects.toBeInstanceOf(DatabaseUnavailableError)
  flaky.state.refusing = false
  expect(await archive.captures.get(made.id)).toMatchObject({ status: 'canceled', audioAvailable: true })
  expect((await archive.captures.audioFile(made.id)).ok).toBe(true)
  expect(await archive.captures.remove(made.id)).toBe(true)
  expect(await archive.captures.remove(made.id)).toBe(false)
  expect((await archive.captures.list({ limit: 10, offset: 0 })).total).toBe(0)
})

/** A capture without a job. */
async function finishedLater(archive: TestArchive) {
  const made = await capture(archive)
  await archive.captures.cancel(made.capture.id)
  return made.capture
}
