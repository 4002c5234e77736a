// Ranges, validators and HEAD.

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentDisposition, fileResponse } from '../../../src/http/server/file-response.ts'

const folder = await mkdtemp(join(tmpdir(), 'dictation-file-'))
afterAll(() => rm(folder, { recursive: true }))
const path = join(folder, 'audio.wav')
const bytes = crypto.getRandomValues(new Uint8Array(1000))
await Bun.write(path, bytes)
const file = { path, mediaType: 'audio/wav', sha256: 'abc123' }
const ETAG = '"abc123"'

async function get(headers: Record<string, string> = {}, method = 'GET') {
  const response = (await fileResponse(new Request('http://localhost/', { headers, method }), file))!
  return { response, body: new Uint8Array(await response.arrayBuffer()) }
}

test('returns the whole file with its type, length and a strong ETag', async () => {
  const { response, body } = await get()
  expect(response.status).toBe(200)
  expect(body).toEqual(bytes)
  expect(Object.fromEntries(response.headers)).toEqual({
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-length': '1000',
    'content-type': 'audio/wav',
    etag: ETAG,
  })
})

describe('a range', () => {
  const parts: [range: string, from: number, to: number][] = [
    ['bytes=0-99', 0, 100],
    ['bytes=0-', 0, 1000],
    ['bytes=-100', 900, 1000],
    ['bytes=-5000', 0, 1000],
    ['bytes=990-2000', 990, 1000],
    ['bytes=0-0', 0, 1],
    ['bytes=999-', 999, 1000],
    ['Bytes=5-9', 5, 10],
    ['bytes=990-99999999999999999999', 990, 1000],
    ['bytes=-99999999999999999999', 0, 1000],
  ]
  for (const [range, from, to] of parts) {
    test(`${range} is bytes ${from} to ${to}`, async () => {
      const { response, body } = await get({ range })
      expect(response.status).toBe(206)
      expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/1000`)
      expect(response.headers.get('content-length')).toBe(String(to - from))
      expect(body).toEqual(bytes.slice(from, to))
    })
  }
  for (const range of ['bytes=1000-', 'bytes=-0', 'bytes=99999999999999999999-', 'bytes=1000-1001']) {
    test(`returns 416 for ${range}, which is outside the file`, async () => {
      const { response, body } = await get({ range })
      expect(response.status).toBe(416)
      expect(response.headers.get('content-range')).toBe('bytes */1000')
      expect(JSON.parse(new TextDecoder().decode(body)).code).toBe('range_not_satisfiable')
    })
  }
  for (const range of ['bytes=5-2', 'bytes=abc', 'bytes=', 'bytes=-', 'items=0-5', 'bytes=0-1,5-6', '0-5']) {
    test(`returns the whole file for ${range}`, async () => {
      const { response, body } = await get({ range })
      expect(response.status).toBe(200)
      expect(body).toHaveLength(1000)
    })
  }
})

test('returns 304 for a copy that is still current', async () => {
  for (const tags of [ETAG, `W/${ETAG}`, `"other", ${ETAG}`, '*']) {
    const { response, body } = await get({ 'if-none-match': tags, range: 'bytes=0-5' })
    expect(response.status).toBe(304)
    expect(response.headers.get('etag')).toBe(ETAG)
    expect(body).toHaveLength(0)
  }
  expect((await get({ 'if-none-match': '"other"' })).response.status).toBe(200)
})

test('resumes a download only if the content is the same', async () => {
  expect((await get({ range: 'bytes=5-', 'if-range': ETAG })).response.status).toBe(206)
  for (const condition of ['"other"', `W/${ETAG}`, 'Sat, 31 Jan 2026 12:00:00 GMT']) {
    expect((await get({ range: 'bytes=5-', 'if-range': condition })).response.status).toBe(200)
  }
})

test('returns an empty file whole, without ranges', async () => {
  const empty = { ...file, path: join(folder, 'empty') }
  await Bun.write(empty.path, '')
  const request = (range?: string) =>
    new Request('http://localhost/', range === undefined ? {} : { headers: { range } })
  expect((await fileResponse(request(), empty))!.status).toBe(200)
  for (const range of ['bytes=0-', 'bytes=-1']) {
    expect((await fileResponse(request(range), empty))!.status).toBe(416)
  }
})

test('returns null for a missing file or a folder', async () => {
  const request = new Request('http://localhost/')
  expect(await fileResponse(request, { ...file, path: join(folder, 'missing') })).toBe(null)
  expect(await fileResponse(request, { ...file, path: folder })).toBe(null)
})

test('no download name can end the header or become a path', () => {
  const header = contentDisposition('../a"\r\nSet-Cookie: x=1\\naïve 日本\ud800.wav')
  expect(header).toMatch(/^attachment; filename="[^"\\/%\r\n]*"; filename\*=UTF-8''[A-Za-z0-9%._~!-]*$/)
  expect(decodeURIComponent(header.split("UTF-8''")[1]!)).toBe('.._a"__Set-Cookie: x=1_naïve 日本\ufffd.wav')
})
