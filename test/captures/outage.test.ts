// What becomes of recordings while the database is away. The embedded one cannot go away, so that here its
// transactions are refused by hand; a real Postgres is cut off at a proxy in test/db/outage.test.ts.

import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { DatabaseAwayError } from '../../src/lib/database-away.ts'
import { capture, endedJob, openArchive, type TestArchive } from '../support/archive.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

/** A folder whose database can be told not to answer. */
async function createFlakyFolder() {
  const folder = await createTestFolder()
  const state = { away: false, committing: false, refusing: false }
  const refuse = () => Promise.reject(new DatabaseAwayError('on purpose'))
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
  test(`a recording that came while the database was away is transcribed when it is back${committing ? ', even if the commit arrived' : ''}`, async () => {
    await using flaky = await createFlakyFolder()
    await using archive = await openArchive({ folder: flaky.folder })
    await archive.captures.checkRoom()
    Object.assign(flaky.state, { away: true, committing })
    const made = await capture(archive)
    expect(made).toMatchObject({ queued: false, capture: { status: 'pending' } })
    flaky.state.away = false
    // Until it is queued there is no such job.
    await until(() => archive.jobs.get(made.jobId), { what: 'the job' })
    const job = await endedJob(archive, made.jobId)
    expect(job).toMatchObject({ state: 'completed', attempts: 1 })
    expect(await archive.captures.get(made.capture.id)).toMatchObject({ transcriptRaw: 'hello' })
  })

test('refuses nothing silently: without room known, a recording is not taken while the database is away', async () => {
  await using flaky = await createFlakyFolder()
  await using archive = await openArchive({ folder: flaky.folder })
  flaky.state.away = true
  await expect(archive.captures.checkRoom()).rejects.toBeInstanceOf(DatabaseAwayError)
  flaky.state.away = false
  expect(await readdir(join(archive.dataFolder, 'inbox'))).toEqual([])
})

test('a deletion that the database broke off is finished by asking again', async () => {
  await using flaky = await createFlakyFolder()
  await using archive = await openArchive({ folder: flaky.folder, working: false })
  const made = await finishedLater(archive)
  flaky.state.refusing = true
  await expect(archive.captures.remove(made.id)).rejects.toBeInstanceOf(DatabaseAwayError)
  flaky.state.refusing = false
  expect(await archive.captures.get(made.id)).toBeNull()
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
