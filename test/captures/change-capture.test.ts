// Changes of one capture from two sides that do not share a lock, as two servers, or a late statement and its successor.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { findCapture, saveChange } from '../../db/captures.ts'
import { toRow } from '../../src/captures/capture-index.ts'
import { type Captures, createCaptures } from '../../src/captures/captures.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/log.ts'
import { fields, openArchive, receive, type TestArchive } from '../support/archive.ts'
import { until } from '../support/until.ts'

/** Each leaves a version, of which 50 are stored. */
const EDITS = 20

/** A second instance with the same rows, files and queue, but its own turns. */
const besides = ({ database, dataFolder, store, queue }: TestArchive): Captures =>
  createCaptures({
    ...{ database, dataFolder, store, delivery: queue, clock: systemClock, log: silentLog, maxQueue: 1000 },
    inboxFolder: join(dataFolder, 'inbox'),
    publish() {},
    announcing() {},
  })

async function transcribed(archive: TestArchive): Promise<string> {
  const made = await archive.captures.create({
    incoming: await receive(archive.dataFolder),
    fields: fields(),
  })
  if (!made.ok) throw new Error(made.failure.message)
  const { id } = made.value.capture
  await until(async () => (await archive.captures.get(id))?.status === 'completed')
  return id
}

test('no change is lost when two sides change the same capture at once', async () => {
  await using archive = await openArchive()
  const id = await transcribed(archive)
  const before = (await archive.captures.get(id))!
  const other = besides(archive)
  const numbers = Array.from({ length: EDITS }, (_, index) => index)
  const edit = async (captures: Captures, name: 'title' | 'windowTitle') => {
    for (const number of numbers) {
      const text = `${name} ${number}`
      const changed = await captures.update(id, { [name]: text, transcriptRefined: text })
      expect(changed).toMatchObject({ [name]: text, transcriptRefined: text })
    }
  }
  await Promise.all([edit(archive.captures, 'title'), edit(other, 'windowTitle')])
  const after = (await archive.captures.get(id))!
  expect([after.title, after.windowTitle]).toEqual([`title ${EDITS - 1}`, `windowTitle ${EDITS - 1}`])
  expect(after.revision).toBe(before.revision + 2 * EDITS)
  const versions = (await archive.captures.versions(id))!
  expect(versions.map(({ number }) => number)).toEqual(Array.from({ length: 2 * EDITS }, (_, at) => at + 1))
  const texts = [...versions, after].map(({ transcriptRefined }) => transcriptRefined)
  const written = numbers.flatMap((number) => [`title ${number}`, `windowTitle ${number}`])
  expect(texts.slice(1).toSorted()).toEqual(written.toSorted())
  await other.close()
})

test('a change that arrives late overwrites nothing, and restores no deleted capture', async () => {
  await using archive = await openArchive()
  const { captures, database } = archive
  const id = await transcribed(archive)
  const read = (await captures.get(id))!
  const late = await toRow(
    { ...read, title: 'late', revision: read.revision + 1 },
    { shelved: null, segments: [{ ...read.segments[0]!, text: 'late' }] },
  )
  await captures.update(id, { title: 'in time' })
  expect(await database.run((orm) => saveChange(orm, late))).toBe(false)
  expect(await captures.get(id)).toMatchObject({ title: 'in time', segments: read.segments })
  expect((await captures.list({ q: 'late', limit: 1, offset: 0 })).total).toBe(0)
  await captures.remove(id)
  expect(await database.run((orm) => saveChange(orm, late))).toBe(false)
  expect(await database.run((orm) => findCapture(orm, id))).toBeNull()
})
