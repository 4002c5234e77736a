// Archives of many captures. Files, database and queue are real; the recogniser is a stub.

import { afterAll, expect, test } from 'bun:test'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ArchiveFile, exportManyRoute, exportRoute, zipOf } from '../../../src/http/captures/export.ts'
import { succeed } from '../../../src/lib/result.ts'
import { finishedCapture, openArchive, said } from '../../support/archive.ts'
import { recordingFile } from '../../support/speech.ts'
import { until } from '../../support/until.ts'
import { webOf } from '../../support/web.ts'
import { readZip } from '../../support/zip.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

const archive = await openArchive({ transcribe: async () => succeed(said('hello wörld')) })
afterAll(() => archive[Symbol.asyncDispose]())
const { call } = await webOf([exportManyRoute(archive.captures)])
const send = (body: Json) =>
  call('/captures/export', {
    ...{ method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  })
const filesIn = async (response: Response) => readZip(new Uint8Array(await response.arrayBuffer()))
const audio = Buffer.from(await recordingFile('short-01.flac').arrayBuffer())

const talk = await finishedCapture(archive, { title: 'A talk', appName: 'Mail' })
const twin = await finishedCapture(archive, { title: 'A talk' })
const other = await finishedCapture(archive, { title: '../evil' })
const day = new Date().toLocaleDateString('sv')

test('contains the texts of the captures that a filter matches, oldest first', async () => {
  const response = await send({ filter: {} })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toMatch(/filename="captures \d{4}-\d\d-\d\d\.zip"/)
  const files = await filesIn(response)
  expect(files.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
    [`${day} A talk.txt`, 'hello wörld\n'],
    [`${day} A talk (2).txt`, 'hello wörld\n'],
    [`${day} evil.txt`, 'hello wörld\n'],
  ])
})

test('dates and sorts files by the day of the recording', async () => {
  const old = await finishedCapture(archive, { title: 'Old', recordedAt: new Date(2019, 4, 1, 12) })
  const files = await filesIn(await send({ filter: {} }))
  expect(files[0]!.name).toBe('2019-05-01 Old.txt')
  await archive.captures.remove(old.id)
})

test('contains exactly the requested captures, once each, with their recordings', async () => {
  const ids = [twin.id, talk.id.toUpperCase(), twin.id]
  const files = await filesIn(await send({ ids, format: 'json', audio: true }))
  expect(files.map(({ name }) => name)).toEqual([
    ...[`${day} A talk.json`, `${day} A talk.flac`, `${day} A talk (2).json`, `${day} A talk (2).flac`],
  ])
  expect(JSON.parse(files[0]!.bytes.toString())).toMatchObject({ id: talk.id, segments: [{}] })
  expect(files[1]!.bytes).toEqual(audio)
})

test('contains the requested texts', async () => {
  const refined = await finishedCapture(archive, { title: 'Refined' })
  await archive.captures.update(refined.id, { transcriptRefined: 'Hello, Wörld!' })
  const { call: callOne } = await webOf([exportRoute(archive.captures)])
  for (const [text, words] of [
    ['raw', 'hello wörld'],
    ['refined', 'Hello, Wörld!'],
  ] as const)
    for (const format of ['txt', 'md', 'srt', 'vtt', 'json']) {
      const [file] = await filesIn(await send({ ids: [refined.id], format, text }))
      const alone = await callOne(`/captures/${refined.id}/export?format=${format}&text=${text}`)
      const written = file!.bytes.toString()
      expect(await alone.text()).toBe(written)
      if (format === 'json')
        expect(JSON.parse(written)).toMatchObject({ text: words, segments: [{ text: words }] })
      else expect(written).toContain(words)
    }
  expect((await callOne(`/captures/${refined.id}/export?text=other`)).status).toBe(422)
  await archive.captures.remove(refined.id)
})

test('subtitles keep the requested limits, and a Word document is an archive with the text', async () => {
  const { call: callOne } = await webOf([exportRoute(archive.captures)])
  const limited = await callOne(`/captures/${talk.id}/export?format=srt&max_line_characters=10`)
  expect((await limited.text()).match(/-->/g)).toHaveLength(1)
  expect((await callOne(`/captures/${talk.id}/export?format=srt&max_lines=0`)).status).toBe(422)
  const [narrow] = await filesIn(
    await send({ ids: [talk.id], format: 'vtt', max_line_characters: 10, max_lines: 1 }),
  )
  expect(narrow!.bytes.toString()).toContain('hello\n\n')
  const [document] = await filesIn(await send({ ids: [talk.id], format: 'docx' }))
  expect(document!.name).toEndWith('.docx')
  const part = readZip(document!.bytes).find(({ name }) => name === 'word/document.xml')
  expect(part!.bytes.toString()).toContain('hello wörld')
})

test('uses one extension per format', async () => {
  for (const [format, beginning] of [
    ['md', '# A talk'],
    ['srt', '1\n00:'],
    ['vtt', 'WEBVTT'],
  ] as const) {
    const [file] = await filesIn(await send({ ids: [talk.id], format }))
    expect(file!.name).toEndWith(`.${format}`)
    expect(file!.bytes.toString()).toStartWith(beginning)
  }
})

test('returns an empty archive for a filter without matches', async () => {
  expect(await filesIn(await send({ filter: { app: 'nowhere' } }))).toEqual([])
})

test('omits a missing recording but not its text', async () => {
  const gone = await finishedCapture(archive, { title: 'Gone' })
  await rm(join(archive.dataFolder, gone.audioPath))
  const files = await filesIn(await send({ ids: [gone.id], audio: true }))
  expect(files.map(({ name }) => name)).toEqual([`${day} Gone.txt`])
})

test('refuses an invalid request before it sends anything', async () => {
  const unknownId = crypto.randomUUID()
  const missing = await send({ ids: [talk.id, unknownId] })
  expect(missing.status).toBe(404)
  expect(((await missing.json()) as Json).detail).toContain(unknownId)
  for (const body of [{}, { ids: [talk.id], filter: {} }, { filter: {}, format: 'doc' }, { ids: [] }])
    expect((await send(body)).status).toBe(422)
})

test('stops reading when the client leaves', async () => {
  let given = 0
  let ended = false
  async function* files(): AsyncGenerator<ArchiveFile> {
    try {
      for (;;) {
        given++
        const path = join(archive.dataFolder, other.audioPath)
        yield { name: `${given}`, modifiedAt: new Date(), content: { path, bytes: audio.length } }
      }
    } finally {
      ended = true
    }
  }
  const openFiles = async () => (await readdir('/proc/self/fd').catch(() => [])).length
  const before = await openFiles()
  const reader = zipOf(files()).getReader()
  for (let read = 0; read < 20; read++) await reader.read()
  await reader.cancel()
  const soFar = given
  expect([ended, soFar < 20]).toEqual([true, true])
  // Others may be closed meanwhile, such as a connection of the test before.
  await until(async () => (await openFiles()) <= before, { what: 'the files to be closed' })
  expect(given).toBe(soFar)
})

test('closes a file that is being opened when the client leaves: Bun ends a process that leaks one', async () => {
  const path = join(archive.dataFolder, other.audioPath)
  async function* files(): AsyncGenerator<ArchiveFile> {
    yield { name: 'a', modifiedAt: new Date(), content: { path, bytes: audio.length } }
  }
  const openFiles = async () => (await readdir('/proc/self/fd').catch(() => [])).length
  const before = await openFiles()
  for (let ticks = 0; ticks < 20; ticks++) {
    const reader = zipOf(files()).getReader()
    void reader.read()
    for (let tick = 0; tick < ticks; tick++) await null
    await reader.cancel()
  }
  await until(async () => (await openFiles()) <= before)
})
