// Waveforms of really decoded recordings; the recogniser is a stub.

import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAudioDecoder } from '../../../src/audio/decode.ts'
import { listCaptureFiles } from '../../../src/captures/capture-files.ts'
import { waveformRoute } from '../../../src/http/captures/audio.ts'
import { createDataFolderStore } from '../../../src/store/data-folder.ts'
import { fields, openArchive, receive, type TestArchive } from '../../support/archive.ts'
import { createTestFolder } from '../../support/database.ts'
import { speechFolder } from '../../support/speech.ts'
import { wavHeader } from '../../support/wav.ts'
import { webOf } from '../../support/web.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

const archive = await openArchive({ working: false })
const { dataFolder } = archive
const workFolder = join(dataFolder, 'work')
await mkdir(workFolder, { recursive: true })
let decodes = 0
const decoder = createAudioDecoder({ workFolder, maxAudioSeconds: 60, spare: true })
const counting = {
  ...decoder,
  decode: (request: Parameters<typeof decoder.decode>[0]) => {
    decodes++
    return decoder.decode(request)
  },
}
afterAll(async () => {
  await decoder.close()
  await archive[Symbol.asyncDispose]()
})
const { call } = await webOf([
  waveformRoute({ captures: archive.captures, decoder: counting, store: { folder: dataFolder } }),
])
const waveformOf = async (id: string, query = '') => {
  const response = await call(`/captures/${id}/waveform${query}`)
  return { status: response.status, body: (await response.json()) as Json }
}

/** A capture with these samples, 16-bit mono at 16 kHz. */
async function keep(samples: Int16Array, to: TestArchive = archive) {
  const path = join(to.dataFolder, 'made.wav')
  const head = wavHeader({ dataBytes: samples.byteLength, rate: 16_000, channels: 1 })
  await writeFile(path, Buffer.concat([head, Buffer.from(samples.buffer)]))
  const created = await to.captures.create({ incoming: await receive(to.dataFolder, path), fields: fields() })
  await rm(path)
  if (!created.ok) throw new Error(created.failure.message)
  return created.value.capture
}
const peaksOf = ({ audioPath }: { audioPath: string }) =>
  join(dataFolder, audioPath.replace(/\.\w+$/, '.peaks'))
/** Silence, a positive level, a negative level, silence: half a second each. */
const steps = new Int16Array(32_000).fill(16_384, 8000, 16_000).fill(-32_767, 16_000, 24_000)

test('returns the lowest and the highest sample of each span', async () => {
  const { id } = await keep(steps)
  const four = {
    points: 4,
    peaks: [
      [0, 0],
      [0.504, 0.504],
      [-1, -1],
      [0, 0],
    ],
    duration_ms: 2000,
    plays_alike: true,
  }
  expect(await waveformOf(id, '?points=4')).toEqual({ status: 200, body: four })
  expect((await waveformOf(id, '?points=2')).body.peaks).toEqual([
    [0, 0.504],
    [-1, 0],
  ])
  expect((await waveformOf(id, '?points=1')).body.peaks).toEqual([[-1, 0.504]])
  const many = (await waveformOf(id, '?points=4000')).body
  expect([many.points, many.peaks.length, many.peaks[1500], many.peaks[2500]]).toEqual([
    ...[4000, 4000, [0.504, 0.504], [-1, -1]],
  ])
  expect((await waveformOf(id)).body.points).toBe(800)
})

test('decodes a recording once for concurrent requests, and again if its waveform is lost or damaged', async () => {
  const capture = await keep(steps)
  decodes = 0
  const answers = await Promise.all([
    waveformOf(capture.id),
    waveformOf(capture.id, '?points=3'),
    waveformOf(capture.id),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(decodes).toBe(1)
  expect((await stat(peaksOf(capture))).mode & 0o777).toBe(0o600)
  for (const damaged of ['', 'PEAKS1', 'x'.repeat(32_016)]) {
    await writeFile(peaksOf(capture), damaged)
    expect((await waveformOf(capture.id)).body).toEqual(answers[0]!.body)
  }
  await rm(peaksOf(capture))
  expect((await waveformOf(capture.id)).body).toEqual(answers[0]!.body)
  expect(decodes).toBe(5)
})

test('returns as many points as there are samples for a very short recording', async () => {
  const { id } = await keep(new Int16Array(10).fill(32_767))
  expect(await waveformOf(id)).toEqual({
    status: 200,
    body: { points: 10, peaks: Array(10).fill([1, 1]), duration_ms: 1, plays_alike: true },
  })
})

test('keeps a waveform after its audio is gone, and deletes it with the capture', async () => {
  const capture = await keep(steps)
  const before = await waveformOf(capture.id)
  await rm(join(dataFolder, capture.audioPath))
  expect(await waveformOf(capture.id)).toEqual(before)
  expect(await archive.captures.remove(capture.id)).toBe(true)
  expect(existsSync(peaksOf(capture))).toBe(false)
  expect((await waveformOf(capture.id)).status).toBe(404)
})

test('recomputes a waveform of an older version, and uses it unchanged if the audio is gone', async () => {
  const capture = await keep(steps)
  const { body } = await waveformOf(capture.id)
  const old = await readFile(peaksOf(capture))
  old.write('PEAKS1')
  // While there is audio, the length in the old file is ignored.
  old.writeBigUInt64LE(40_000n, 8)
  await writeFile(peaksOf(capture), old)
  expect((await waveformOf(capture.id)).body).toEqual(body)
  await writeFile(peaksOf(capture), old)
  await rm(join(dataFolder, capture.audioPath))
  expect((await waveformOf(capture.id)).body).toEqual({ ...body, duration_ms: 2500 })
})

test('reports when players may play the file itself differently', async () => {
  const received = await receive(dataFolder, join(speechFolder, 'timestamps/gap-of-17s.webm'))
  const created = await archive.captures.create({ incoming: received, fields: fields() })
  if (!created.ok) throw new Error(created.failure.message)
  const first = await waveformOf(created.value.capture.id)
  expect(first.body).toMatchObject({ duration_ms: 27_118, plays_alike: false })
  expect(await waveformOf(created.value.capture.id)).toEqual(first)
})

test('refuses captures without audio, undecodable audio, unknown captures and invalid queries', async () => {
  const gone = await keep(steps)
  await rm(join(dataFolder, gone.audioPath))
  expect(await waveformOf(gone.id)).toMatchObject({ status: 410, body: { code: 'audio_gone' } })
  const broken = await keep(steps)
  await writeFile(
    join(dataFolder, broken.audioPath),
    Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(5000)]),
  )
  expect(await waveformOf(broken.id)).toMatchObject({ status: 422, body: { code: 'undecodable_audio' } })
  expect(existsSync(peaksOf(broken))).toBe(false)
  expect(await waveformOf(crypto.randomUUID())).toMatchObject({
    status: 404,
    body: { code: 'capture_not_found' },
  })
  for (const points of ['0', '4001', '1.5', 'x'])
    expect((await waveformOf(gone.id, `?points=${points}`)).status).toBe(422)
})

test('the next start does not mistake a waveform for a recording', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder, working: false })
  const capture = await keep(steps, first)
  await writeFile(join(folder.dataFolder, capture.audioPath.replace('.wav', '.peaks')), 'PEAKS1')
  await first.stop()
  expect((await listCaptureFiles(createDataFolderStore(folder.dataFolder))).audio.get(capture.id)).toBe(
    capture.audioPath,
  )
  const second = await openArchive({ folder, working: false })
  expect(second.recovery).toMatchObject({ adopted: 0, audioMissing: 0 })
  await second.stop()
})
