// How many earlier transcripts a capture holds and which are removed first.

import { expect } from 'bun:test'
import { endedJob, finishedCapture, openArchive } from '../support/archive.ts'
import { testAtLength } from '../support/at-length.ts'

const MEBIBYTE = 1024 ** 2
const REQUEST = { model: null, language: null, prompt: null, keepRefined: false, refinement: null }

testAtLength('keeps the first and the latest of very many versions, and never reuses a number', async () => {
  await using archive = await openArchive()
  const { captures } = archive
  const { id, transcriptRefined } = await finishedCapture(archive)
  for (let save = 1; save <= 60; save++) await captures.update(id, { transcriptRefined: `Save ${save}.` })
  const versions = (await captures.versions(id))!
  expect(versions).toHaveLength(50)
  expect(versions[0]).toMatchObject({ number: 1, transcriptRefined })
  expect(versions.slice(1).map(({ number }) => number)).toEqual(
    Array.from({ length: 49 }, (_, at) => 12 + at),
  )
  expect(versions.at(-1)).toMatchObject({ number: 60, transcriptRefined: 'Save 59.' })
  expect(await captures.restoreVersion(id, 5)).toMatchObject({ failure: { code: 'version_not_found' } })
  expect(await captures.restoreVersion(id, 30)).toMatchObject({ value: { transcriptRefined: 'Save 29.' } })
})

testAtLength('keeps only a few versions of large texts', async () => {
  await using archive = await openArchive()
  const { captures } = archive
  const { id } = await finishedCapture(archive)
  const texts = Array.from({ length: 20 }, (_, save) => `${save} `.padEnd(1_000_000, 'x'))
  for (const transcriptRefined of texts) await captures.update(id, { transcriptRefined })
  const versions = (await captures.versions(id))!
  const bytes = versions.reduce((sum, one) => sum + (one.transcriptRefined?.length ?? 0), 0)
  expect(bytes).toBeLessThan(8 * MEBIBYTE)
  expect(versions.map(({ number }) => number)).toEqual([1, ...versions.slice(1).map((_, at) => 13 + at)])
})

testAtLength(
  'keeps texts by the user longer than texts by the server',
  async () => {
    await using archive = await openArchive()
    const { captures } = archive
    const { id } = await finishedCapture(archive)
    await captures.update(id, { transcriptRefined: 'By hand.' })
    for (let time = 0; time < 55; time++) {
      const started = await captures.retranscribe(id, REQUEST)
      if (!started.ok) throw new Error(started.failure.message)
      await endedJob(archive, started.value.jobId)
    }
    const versions = (await captures.versions(id))!
    expect(versions).toHaveLength(50)
    expect(versions.slice(0, 2).map(({ number }) => number)).toEqual([1, 2])
    expect(versions[1]!.transcriptRefined).toBe('By hand.')
  },
  120_000,
)
