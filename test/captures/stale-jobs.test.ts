// Jobs that an older database still has to do, with real files and databases; the recogniser is a hand-written function.
// An older database is one whose rows are set back by hand.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { succeed } from '../../src/lib/result.ts'
import {
  capture,
  endedJob,
  finishedCapture,
  openArchive,
  said,
  type TestArchive,
} from '../support/archive.ts'
import { createTestFolder, type TestFolder } from '../support/database.ts'

const request = { model: null, language: null, prompt: null, keepRefined: false }

async function retranscribe({ captures }: TestArchive, id: string, prompt: string | null = null) {
  const queued = await captures.retranscribe(id, { ...request, prompt })
  if (!queued.ok) throw new Error(queued.failure.message)
  return queued.value.jobId
}

const waitsAgain = ({ database }: TestArchive, jobId: string) =>
  database.run((orm) =>
    orm.execute(
      sql`update jobs set state = 'waiting', error = null, attempts = 0, finished_at = null where id = ${jobId}`,
    ),
  )
const forgets = ({ database }: TestArchive, jobId: string) =>
  database.run((orm) => orm.execute(sql`delete from jobs where id = ${jobId}`))

/** What was heard in the run that follows, by its prompt. */
async function opened(folder: TestFolder) {
  const heard: (string | null)[] = []
  const archive = await openArchive({
    folder,
    async transcribe({ prompt }) {
      heard.push(prompt)
      return succeed(said('heard once more'))
    },
  })
  return { archive, heard }
}

test('a retranscription that was cancelled stays cancelled when the database remembers it as waiting', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder })
  const made = await finishedCapture(first)
  await first.stop()
  const idle = await openArchive({ folder, working: false })
  const jobId = await retranscribe(idle, made.id)
  expect(await idle.captures.cancel(made.id)).toBe(jobId)
  await waitsAgain(idle, jobId)
  await idle.stop()

  const { archive, heard } = await opened(folder)
  expect((await archive.jobs.get(jobId))!.state).toBe('canceled')
  expect(await archive.captures.get(made.id)).toEqual(made)
  expect(heard).toEqual([])
  await archive.stop()
})

test('a transcription that was done and corrected by hand is not made again by an older database', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder })
  const { capture: made, jobId } = await capture(first)
  await endedJob(first, jobId)
  await endedJob(first, await retranscribe(first, made.id))
  await first.captures.update(made.id, { transcriptRefined: 'Corrected by hand.' })
  const before = await first.captures.get(made.id)
  await waitsAgain(first, jobId)
  const asItWas = sql`update captures set revision = 1, status = 'pending', updated_at = created_at`
  await first.database.run((orm) => orm.execute(asItWas))
  await first.stop()

  const { archive, heard } = await opened(folder)
  expect((await archive.jobs.get(jobId))!.state).toBe('canceled')
  expect(await archive.captures.get(made.id)).toEqual(before)
  expect(heard).toEqual([])
  await archive.stop()
})

test('what was promised last is done, and not what an older database remembers instead', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder })
  const { capture: made, jobId: firstJobId } = await capture(first)
  await endedJob(first, firstJobId)
  await first.stop()
  const idle = await openArchive({ folder, working: false })
  const promised = await retranscribe(idle, made.id, 'Zürich')
  await forgets(idle, promised)
  await waitsAgain(idle, firstJobId)
  await idle.stop()

  const { archive, heard } = await opened(folder)
  expect((await endedJob(archive, promised))!.state).toBe('completed')
  expect((await archive.jobs.get(firstJobId))!.state).toBe('canceled')
  expect(heard).toEqual(['Zürich'])
  await archive.stop()
})

test('refuses to end what is still to be done: first transcriptions and promises', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder })
  const made = await finishedCapture(first)
  await first.stop()
  const idle = await openArchive({ folder, working: false })
  const waiting = await capture(idle)
  const promised = await retranscribe(idle, made.id, 'Ada')
  await idle.stop()

  const { archive, heard } = await opened(folder)
  for (const jobId of [waiting.jobId, promised])
    expect((await endedJob(archive, jobId))!.state).toBe('completed')
  expect(heard.toSorted()).toEqual(['Ada', null])
  await archive.stop()
})
