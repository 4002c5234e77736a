// GET /captures/{id}/audio?format=wav, whole and by range, of a really decoded recording. Range syntax is tested in
// file-response.test.ts; the recogniser is a stub.

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAudioDecoder } from '../../../src/audio/decode.ts'
import { createDecodedAudioCache } from '../../../src/audio/decoded-audio-cache.ts'
import { audioRoute, waveformRoute } from '../../../src/http/captures/audio.ts'
import { fields, openArchive, receive } from '../../support/archive.ts'
import { testAtLength } from '../../support/at-length.ts'
import { until } from '../../support/until.ts'
import { webOf } from '../../support/web.ts'

const archive = await openArchive({ working: false })
const { dataFolder, captures } = archive
const workFolder = join(dataFolder, 'work')
await mkdir(workFolder, { recursive: true })
const decoder = createAudioDecoder({ workFolder, maxAudioSeconds: 600, spare: true })
let decodes = 0
const decodedSounds = createDecodedAudioCache(
  {
    decode: (request) => {
      decodes++
      return decoder.decode(request)
    },
  },
  { unfinishedMs: 1, finishedMs: 1, worthMs: 1000, unreadMs: 600_000 },
)
afterAll(async () => {
  await decodedSounds.close()
  await decoder.close()
  await archive[Symbol.asyncDispose]()
})
const store = { folder: dataFolder }
const { call } = await webOf([
  audioRoute({ captures, decodedSounds, store }),
  waveformRoute({ captures, decoder, store }),
])

/** Sun's AU format, which no browser plays: stereo at 44.1 kHz, so that decoding changes the samples. */
async function keep(frames: number) {
  const bytes = Buffer.alloc(24 + frames * 4)
  bytes.write('.snd', 0)
  for (const [index, value] of [24, frames * 4, 3, 44_100, 2].entries())
    bytes.writeUInt32BE(value, 4 + 4 * index)
  for (let at = 0; at < frames * 2; at++) bytes.writeInt16BE(((at * 37) % 20_000) - 10_000, 24 + 2 * at)
  const path = join(dataFolder, 'made.au')
  await writeFile(path, bytes)
  const created = await captures.create({ incoming: await receive(dataFolder, path), fields: fields() })
  await rm(path)
  if (!created.ok) throw new Error(created.failure.message)
  return created.value.capture
}

const capture = await keep(44_100)
const address = `/captures/${capture.id}/audio?format=wav`
const get = async (headers: Record<string, string> = {}, path = address, method = 'GET') => {
  const response = await call(path, { headers, method })
  return { response, body: Buffer.from(await response.arrayBuffer()) }
}
const whole = await get()
const size = 44 + 32_000
const outlined = () => call(`/captures/${capture.id}/waveform`)
const nothingLeft = () => until(async () => (await readdir(workFolder)).length === 0)

test('the whole file has its exact length and offers ranges', () => {
  const { response, body } = whole
  expect(response.status).toBe(200)
  expect(body.length).toBe(size)
  const headers = ['content-type', 'content-length', 'accept-ranges', 'etag'].map((name) =>
    response.headers.get(name),
  )
  expect(headers).toEqual(['audio/wav', `${size}`, 'bytes', `"${capture.audioSha256}.wav"`])
})

for (const knows of [false, true]) {
  describe(knows ? 'with its outline kept' : 'without an outline', () => {
    const parts: [range: string, from: number, to: number][] = [
      ['bytes=0-', 0, size],
      ['bytes=0-1', 0, 2],
      ['bytes=40-49', 40, 50],
      ['bytes=10001-20000', 10_001, 20_001],
      ['bytes=-101', size - 101, size],
      [`bytes=${size - 1}-${size + 5}`, size - 1, size],
    ]
    for (const [range, from, to] of parts) {
      test(`returns bytes ${from} to ${to} for ${range}`, async () => {
        if (knows) await outlined()
        const { response, body } = await get({ range })
        expect(response.status).toBe(206)
        expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${size}`)
        expect(response.headers.get('content-length')).toBe(`${to - from}`)
        expect(body).toEqual(whole.body.subarray(from, to))
        await nothingLeft()
      })
    }

    test('refuses a range outside the file', async () => {
      const { response } = await get({ range: `bytes=${size}-` })
      expect(response.status).toBe(416)
      expect(response.headers.get('content-range')).toBe(`bytes */${size}`)
      await nothingLeft()
    })

    test('If-Range with another ETag returns the whole file, If-None-Match with its own returns 304, HEAD ignores ranges', async () => {
      const etag = whole.response.headers.get('etag')!
      const part = await get({ range: 'bytes=5-9', 'if-range': etag })
      expect([part.response.status, part.body.length]).toEqual([206, 5])
      const other = await get({ range: 'bytes=5-9', 'if-range': '"other"' })
      expect([other.response.status, other.body.length]).toEqual([200, size])
      expect((await get({ 'if-none-match': etag })).response.status).toBe(304)
      const head = await get({ range: 'bytes=5-9' }, address, 'HEAD')
      expect([head.response.status, head.response.headers.get('content-length')]).toEqual([200, `${size}`])
      await nothingLeft()
    })
  })
}

test('decodes nothing for requests without audio if the stored waveform gives the length', async () => {
  await outlined()
  const before = decodes
  await get({ range: `bytes=${size}-` })
  await get({ 'if-none-match': `"${capture.audioSha256}.wav"` })
  expect(decodes).toBe(before)
})

testAtLength(
  'removes its file when the client leaves',
  async () => {
    const long = await keep(44_100 * 300)
    await call(`/captures/${long.id}/waveform`)
    const response = await call(`/captures/${long.id}/audio?format=wav`, {
      headers: { range: 'bytes=5000000-' },
    })
    expect(response.status).toBe(206)
    await response.body!.cancel()
    await nothingLeft()
  },
  180_000,
)

test('refuses undecodable audio with a problem, also if its waveform is stored', async () => {
  const broken = await keep(1000)
  await call(`/captures/${broken.id}/waveform`)
  await writeFile(
    join(dataFolder, broken.audioPath),
    Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(5000)]),
  )
  const { response, body } = await get({ range: 'bytes=0-99' }, `/captures/${broken.id}/audio?format=wav`)
  expect(response.status).toBe(422)
  expect(JSON.parse(body.toString())).toMatchObject({ code: 'undecodable_audio' })
})
