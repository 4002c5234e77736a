// Gzip and ETags for the files of the documentation and the document.

import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { webOf } from '../../support/web.ts'

const web = webOf([])
const PATHS = ['/docs/assets/swagger-ui.css', '/docs/page/start.js', '/docs/json', '/openapi.json']
const get = async (path: string, headers: Record<string, string>, method = 'GET') =>
  (await web).call(path, { method, headers })

for (const path of PATHS) {
  test(`${path} is compressed only for clients that accept gzip`, async () => {
    const [plain, packed] = [await get(path, {}), await get(path, { 'accept-encoding': 'br, gzip' })]
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('vary')).toContain('accept-encoding')
    expect(packed.headers.get('content-type')).toBe(plain.headers.get('content-type'))
    const bytes = await packed.bytes()
    expect(Number(packed.headers.get('content-length'))).toBe(bytes.length)
    expect(gunzipSync(bytes).toString()).toBe(await plain.text())
  })

  test(`${path} returns 304 to a client that has it`, async () => {
    for (const coding of ['gzip', 'identity']) {
      const first = await get(path, { 'accept-encoding': coding })
      const etag = first.headers.get('etag')!
      expect(etag).toMatch(/^"[\w-]+"$/)
      const second = await get(path, { 'accept-encoding': coding, 'if-none-match': etag })
      expect([second.status, (await second.bytes()).length]).toEqual([304, 0])
      const other = await get(path, { 'accept-encoding': coding, 'if-none-match': '"another"' })
      expect(other.status).toBe(200)
    }
  })
}

test('HEAD returns the headers of GET', async () => {
  for (const headers of [{ 'accept-encoding': 'gzip' }, {}]) {
    const [got, head] = [await get('/docs/json', headers), await get('/docs/json', headers, 'HEAD')]
    for (const name of ['etag', 'content-length', 'content-encoding', 'content-type']) {
      expect(head.headers.get(name)).toBe(got.headers.get(name))
    }
  }
})

for (const refused of ['gzip;q=0', 'gzip; q=0.0', 'br', 'identity', 'notgzip']) {
  test(`does not compress for Accept-Encoding: ${refused}`, async () => {
    const response = await get('/docs/json', { 'accept-encoding': refused })
    expect(response.headers.get('content-encoding')).toBeNull()
  })
}

test('compresses for an Accept-Encoding with a quality value', async () => {
  const response = await get('/docs/json', { 'accept-encoding': 'br;q=1.0, gzip;q=0.8, *;q=0.1' })
  expect(response.headers.get('content-encoding')).toBe('gzip')
})
