// Tags of captures: spelling, limits, filter, copies and suggestions. With real files and databases; the recogniser is a
// hand-written function.

import { expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordPathOf } from '../../src/captures/capture-files.ts'
import { verifyCaptures } from '../../src/captures/copies.ts'
import { changedTags, MAX_TAG_LENGTH, tagFault, tagKey } from '../../src/captures/tags.ts'
import { finishedCapture, openArchive } from '../support/archive.ts'
import { createTestFolder } from '../support/database.ts'

const PAGE = { limit: 50, offset: 0 }
const always = () => true

test('compares tags without case, accents and surplus spaces, and keeps the first spelling', () => {
  expect(changedTags(['Büro'], { addTags: ['BURO', '  two   words ', 'Two Words'] })).toEqual([
    'Büro',
    'two words',
  ])
  expect(changedTags(['Büro', 'x'], { removeTags: ['buro', 'missing'] })).toEqual(['x'])
  expect(changedTags(['Büro'], { tags: ['BURO', 'b'], addTags: ['c'], removeTags: ['B'] })).toEqual([
    'BURO',
    'c',
  ])
})

test('rejects tags without a character to compare, with a comma or with a control character', () => {
  expect(tagFault('会议')).toBeNull()
  expect(tagFault('C++')).toBeNull()
  for (const wrong of ['', '   ', '\u0301', 'a,b', 'a\nb', '\0'])
    expect(tagFault(wrong)).toContain('must not')
})

test('keeps the key of a long tag short enough for an index', async () => {
  await using archive = await openArchive()
  const { id } = await finishedCapture(archive)
  // One character that folds to eighteen.
  const long = '\uFDFA'.repeat(MAX_TAG_LENGTH)
  await archive.captures.update(id, { tags: [long] })
  expect(tagKey(long).length).toBeLessThan(long.length * 18)
  expect((await archive.captures.list({ ...PAGE, tag: long })).items.map((one) => one.id)).toEqual([id])
})

test('finds captures by a tag in any spelling, together with words, and counts those outside the trash', async () => {
  await using archive = await openArchive()
  const { captures } = archive
  const [first, second, third] = [
    await finishedCapture(archive),
    await finishedCapture(archive),
    await finishedCapture(archive),
  ]
  await captures.update(first.id, { tags: ['Büro', 'later'] })
  await captures.update(second.id, { tags: ['büro'] })
  await captures.update(third.id, { tags: ['büro'] })
  await captures.trash(third.id)
  const found = async (query: object) =>
    (await captures.list({ ...PAGE, ...query })).items.map(({ id }) => id)
  expect(await found({ tag: 'BURO' })).toEqual([second.id, first.id])
  expect(await found({ tag: 'buro', q: 'hello' })).toEqual([second.id, first.id])
  expect(await found({ tag: 'buro', trashed: true })).toEqual([third.id])
  expect(await found({ tag: 'bur' })).toEqual([])
  expect(await captures.ids({ meant: { tag: 'later' } })).toMatchObject({ ids: [first.id] })
  expect(await captures.tags()).toEqual([
    { tag: 'Büro', captures: 2 },
    { tag: 'later', captures: 1 },
  ])
  await captures.update(first.id, { removeTags: ['buro'] })
  expect(await found({ tag: 'buro' })).toEqual([second.id])
})

test('refuses more than twenty tags, and changes nothing then', async () => {
  await using archive = await openArchive()
  const { id } = await finishedCapture(archive)
  const twenty = Array.from({ length: 20 }, (_, at) => `tag ${at}`)
  await archive.captures.update(id, { tags: twenty })
  const before = (await archive.captures.get(id))!
  expect(await archive.captures.update(id, { addTags: ['one more'], starred: true }, always)).toBe(
    'too_many_tags',
  )
  expect(await archive.captures.get(id)).toEqual(before)
  expect(
    await archive.captures.update(id, { addTags: ['one more'], removeTags: ['TAG 3'] }, always),
  ).toMatchObject({ revision: before.revision + 1 })
})

test('restores tags from the copies in a rebuild, and none from a copy of an earlier version', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder })
  const tagged = await finishedCapture(first)
  const old = await finishedCapture(first)
  await first.captures.update(tagged.id, { tags: ['Büro'] })
  await first.stop()
  const path = join(folder.dataFolder, recordPathOf(old.id))
  const { capture, ...record } = JSON.parse(await readFile(path, 'utf8'))
  const { tags: _later, ...asBefore } = capture
  await writeFile(path, JSON.stringify({ ...record, capture: asBefore }))

  const rebuilt = await folder.open({ rebuild: true })
  await rebuilt.close()
  await using again = await openArchive({ folder })
  expect(await again.captures.get(tagged.id)).toMatchObject({ tags: ['Büro'] })
  expect(await again.captures.get(old.id)).toMatchObject({ tags: [] })
  expect((await again.captures.list({ ...PAGE, tag: 'buro' })).total).toBe(1)
  expect(await again.captures.tags()).toEqual([{ tag: 'Büro', captures: 1 }])
  expect((await verifyCaptures(again)).differences).toEqual([])
})
