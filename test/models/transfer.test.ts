// Transfers from a real local hub that misbehaves in every way it can.

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DOWNLOADS_FOLDER, partFile } from '../../src/models/part-file.ts'
import { RETRY_POLICY, type TransferJob, transferFile } from '../../src/models/transfer.ts'
import fc, { numRuns } from '../support/fast-check.ts'
import { until } from '../support/until.ts'
import { type Mischief, startHub } from './hub.ts'

const REPOSITORY = 'ada/models'
const PATH = 'ggml-some.bin'
const content = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919 + (at >> 8)) & 255)
const sha256 = createHash('sha256').update(content).digest('hex')

const retryPolicy = { ...RETRY_POLICY, stallMs: 10_000, pauseMs: 1, longestPauseMs: 4 }

const hub = await startHub()
afterAll(() => hub[Symbol.asyncDispose]())

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation-transfer-'))
  await mkdir(join(folder, DOWNLOADS_FOLDER))
  hub.files.set(`${REPOSITORY}/${PATH}`, content)
  Object.assign(hub.tells, { etag: true, size: true, listing: true })
  hub.pace.bytesPerSecond = null
  hub.mischief.length = 0
  hub.hubMischief.length = 0
  hub.requests.length = 0
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const UNKNOWN = { id: 'x', askedAs: 'x', etag: null, sha256: null, bytes: null, running: true }

async function bring(more: Partial<TransferJob> = {}, policy = retryPolicy) {
  const part = partFile(folder, PATH)
  if ((await part.readNote()) === null) await part.writeNote(UNKNOWN)
  const job: TransferJob = {
    baseUrl: hub.url,
    hub: { repository: REPOSITORY, revision: 'main', path: PATH },
    part,
    pinned: { sha256: null, bytes: null },
    maxBytes: 1_000_000,
    signal: new AbortController().signal,
    checkRoom: async () => null,
    onProgress() {},
    ...more,
  }
  return transferFile(job, policy)
}

const arrived = () => readFile(partFile(folder, PATH).path)
const whole = { ok: true, value: { sha256, bytes: content.length } } as const
const byteRequests = () => hub.requests.filter(({ host }) => host === 'bytes')
const ranges = () => byteRequests().map(({ headers }) => headers.get('range') ?? null)

async function expectWhole(outcome: unknown) {
  expect(outcome).toEqual(whole)
  expect((await arrived()).equals(content)).toBe(true)
}

test('downloads the bytes from the host that the hub names and reports progress', async () => {
  const progress: [number, number | null][] = []
  await expectWhole(await bring({ onProgress: (current, total) => progress.push([current, total]) }))
  expect(hub.requests.map(({ host, path }) => [host, path])).toEqual([
    ['hub', `/${REPOSITORY}/resolve/main/${PATH}`],
    ['bytes', `/${REPOSITORY}/${PATH}`],
  ])
  expect(progress.at(-1)).toEqual([content.length, content.length])
  expect(progress.map(([current]) => current)).toEqual(
    progress.map(([current]) => current).toSorted((a, b) => a - b),
  )
  expect(byteRequests()[0]!.headers.get('accept-encoding')).toBe('identity')
})

test('resumes after a lost connection and requests no byte twice', async () => {
  hub.mischief.push(
    { kind: 'cut', afterBytes: 100_000, graceMs: 300 },
    { kind: 'cut', afterBytes: 50_000, graceMs: 300 },
  )
  const before = hub.sentBytes()
  await expectWhole(await bring())
  expect(ranges()[0]).toBeNull()
  expect(byteRequests().at(-1)!.headers.get('if-range')).toMatch(/^"[0-9a-f]{32}"$/)
  expect(hub.sentBytes() - before).toBeLessThanOrEqual(content.length + 2 * 65_536)
})

test('results in the right file, wherever connections are lost', async () => {
  const mischief: fc.Arbitrary<Mischief> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('cut'), afterBytes: fc.nat(content.length) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'ignore range' }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'chunked' }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(500, 502, 503, 429, 403).map((status) => ({ kind: 'status', status })),
    },
  ) as fc.Arbitrary<Mischief>
  const property = fc.asyncProperty(fc.array(mischief, { maxLength: 5 }), async (all) => {
    await partFile(folder, PATH).remove()
    hub.mischief.splice(0, Infinity, ...all)
    await expectWhole(await bring())
  })
  await fc.assert(property, { numRuns: numRuns(40), seed: 20_261_122 })
}, 120_000)

describe('rejects', () => {
  test.each([
    'bytes 0-299999/300000',
    'bytes 100001-299999/300000',
    'bytes 100000-299999/400000',
    'bytes 100000-399999/*',
    'bytes 100000-200000/300000',
    'bytes */300000',
    'nonsense',
  ])('a range of %j in response to 100000-', async (contentRange) => {
    const part = partFile(folder, PATH)
    await writeFile(part.path, content.subarray(0, 100_000))
    await part.writeNote({ ...UNKNOWN, sha256, bytes: content.length })
    hub.mischief.push({ kind: 'lying range', contentRange })
    await expectWhole(await bring())
    expect(ranges()).toEqual(['bytes=100000-', null])
  })

  test('a part that is longer than the file', async () => {
    const part = partFile(folder, PATH)
    await writeFile(part.path, new Uint8Array(content.length + 1))
    await part.writeNote({ ...UNKNOWN, sha256, bytes: content.length })
    await expectWhole(await bring())
    expect(ranges()).toEqual([null])
  })

  test('a part without a known SHA-256', async () => {
    await writeFile(partFile(folder, PATH).path, new Uint8Array(1000))
    await expectWhole(await bring())
    expect(ranges()).toEqual([null])
  })
})

test('restarts if the file changed between two parts', async () => {
  const other = content.map((byte) => byte ^ 1)
  const part = partFile(folder, PATH)
  await writeFile(part.path, content.subarray(0, 100_000))
  await part.writeNote({ ...UNKNOWN, sha256, bytes: content.length })
  hub.files.set(`${REPOSITORY}/${PATH}`, other)
  expect(await bring()).toMatchObject({ ok: true, value: { bytes: other.length } })
  expect((await arrived()).equals(other)).toBe(true)
  expect(ranges()).toEqual(['bytes=100000-', null])
})

test('restarts if the ETag of the other host changed', async () => {
  const part = partFile(folder, PATH)
  await writeFile(part.path, content.subarray(0, 100_000))
  await part.writeNote({ ...UNKNOWN, etag: '"of another file"', sha256, bytes: content.length })
  await expectWhole(await bring({ pinned: { sha256, bytes: content.length } }))
  expect(ranges()).toEqual(['bytes=100000-'])
})

test('sends no request if all bytes have arrived', async () => {
  const part = partFile(folder, PATH)
  await writeFile(part.path, content)
  await part.writeNote({ ...UNKNOWN, sha256, bytes: content.length })
  await expectWhole(await bring())
  expect(hub.requests).toEqual([])
})

test('requests the listing if the response lacks the metadata', async () => {
  Object.assign(hub.tells, { etag: false, size: false })
  await expectWhole(await bring())
  expect(hub.requests.map(({ path }) => path)).toContain(`/api/models/${REPOSITORY}/tree/main`)
})

test('uses the length of the listing for a body without one', async () => {
  Object.assign(hub.tells, { etag: false, size: false })
  hub.mischief.push({ kind: 'chunked' })
  await expectWhole(await bring())
})

test('requests the main branch if a mirror lacks the commit', async () => {
  hub.hubMischief.push({ status: 404 })
  await expectWhole(await bring({ hub: { repository: REPOSITORY, revision: '5359861c', path: PATH } }))
  expect(hub.requests[1]!.path).toBe(`/${REPOSITORY}/resolve/main/${PATH}`)
})

test('opens a new connection when one stalls', async () => {
  hub.mischief.push({ kind: 'stall', afterBytes: 100_000 }, { kind: 'stall', afterBytes: 0 })
  await expectWhole(await bring({}, { ...retryPolicy, stallMs: 200 }))
  expect(byteRequests().length).toBeGreaterThanOrEqual(3)
}, 180_000)

test('honours Retry-After', async () => {
  hub.hubMischief.push({ status: 429, headers: { 'retry-after': '1' } })
  const startedAt = performance.now()
  await expectWhole(await bring())
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990)
})

describe('gives up, keeps the part and reports the reason', () => {
  test('if Retry-After is hours', async () => {
    hub.hubMischief.push({ status: 429, headers: { 'retry-after': '7200' } })
    const message = expect.stringContaining('responded with status 429 and asks to retry in 120 minutes')
    expect(await bring()).toEqual({ ok: false, failure: { code: 'hub_unavailable', message } })
    expect(hub.requests).toHaveLength(1)
  })

  test('if the hub responds only with errors', async () => {
    for (let i = 0; i < 50; i += 1) hub.hubMischief.push({ status: 500 })
    const message = expect.stringContaining('responded with status 500. The part that arrived is kept')
    expect(await bring()).toEqual({ ok: false, failure: { code: 'hub_unavailable', message } })
    expect(hub.requests).toHaveLength(retryPolicy.maxIdleTries)
  })

  test('if the hub is unreachable', async () => {
    const message = expect.stringContaining('cannot be reached (ECONNREFUSED)')
    expect(await bring({ baseUrl: 'http://127.0.0.1:1' })).toEqual({
      ok: false,
      failure: { code: 'hub_unavailable', message },
    })
  })

  test('if every connection is lost at once', async () => {
    const part = partFile(folder, PATH)
    await writeFile(part.path, content.subarray(0, 100_000))
    await part.writeNote({ ...UNKNOWN, sha256, bytes: content.length })
    for (let i = 0; i < 50; i += 1) hub.mischief.push({ kind: 'cut', afterBytes: 0 })
    expect(await bring()).toMatchObject({ ok: false, failure: { code: 'hub_unavailable' } })
    expect(await part.size()).toBe(100_000)
    expect(byteRequests()).toHaveLength(retryPolicy.maxIdleTries)
  })

  test('if the hub redirects too often, or to an unsafe URL', async () => {
    for (let i = 0; i < 9; i += 1) hub.hubMischief.push({ status: 302, headers: { location: '/again' } })
    expect(await bring()).toMatchObject({
      failure: { message: expect.stringContaining('redirects too often') },
    })
    hub.hubMischief.length = 0
    for (const location of ['file:///etc/passwd', 'http://name:secret@127.0.0.1/', 'ftp://127.0.0.1/x']) {
      hub.hubMischief.push({ status: 302, headers: { location } })
      expect(await bring()).toMatchObject({
        failure: { message: expect.stringContaining('redirects to an unsafe URL') },
      })
    }
    expect(byteRequests()).toEqual([])
  })
})

describe('refuses', () => {
  test('a missing file, with a message', async () => {
    hub.files.clear()
    expect(await bring()).toEqual({
      ok: false,
      failure: {
        code: 'not_on_hub',
        message: expect.stringMatching(/has no such file: ggml-some.bin in ada\/models\.$/),
      },
    })
  })

  test.each([401, 403])('a repository that requires a login (%d)', async (status) => {
    hub.hubMischief.push({ status })
    expect(await bring()).toMatchObject({ ok: false, failure: { code: 'not_on_hub' } })
  })

  test('a file other than the pinned one, before any byte is stored', async () => {
    const pinned = { sha256: 'a'.repeat(64), bytes: null }
    expect(await bring({ pinned })).toMatchObject({ ok: false, failure: { code: 'wrong_answer' } })
    expect(await partFile(folder, PATH).size()).toBe(0)
  })

  test('a length that is not the pinned one', async () => {
    const pinned = { sha256, bytes: content.length + 1 }
    expect(await bring({ pinned })).toMatchObject({
      failure: { code: 'wrong_answer', message: expect.stringContaining('has 300000 bytes') },
    })
  })

  test('a body with a different content length than the hub reported', async () => {
    hub.mischief.push({ kind: 'wrong length', bytes: 1234 })
    expect(await bring()).toMatchObject({
      failure: { code: 'wrong_answer', message: expect.stringContaining('1234') },
    })
  })

  test('an endless body, as soon as it exceeds the limit', async () => {
    hub.mischief.push({ kind: 'endless' })
    expect(await bring()).toMatchObject({ ok: false, failure: { code: 'wrong_file' } })
    Object.assign(hub.tells, { size: false })
    await partFile(folder, PATH).remove()
    hub.mischief.push({ kind: 'endless' })
    expect(await bring()).toMatchObject({ ok: false, failure: { code: 'wrong_file' } })
    expect(await partFile(folder, PATH).size()).toBeLessThanOrEqual(1_000_000)
    await until(() => hub.pouring() === 0, { what: 'the connections to end' })
  })

  test('a file without a reported SHA-256', async () => {
    Object.assign(hub.tells, { etag: false, listing: false })
    expect(await bring()).toMatchObject({
      failure: { message: expect.stringContaining('reports no SHA-256') },
    })
  })

  test('a file that is too large for the engine', async () => {
    expect(await bring({ maxBytes: 1000 })).toMatchObject({
      failure: { message: expect.stringContaining('engine') },
    })
  })

  test('a file that does not fit the disk', async () => {
    const failure = { code: 'disk_full', message: 'Full.' } as const
    expect(await bring({ checkRoom: async (bytes) => (bytes >= content.length ? failure : null) })).toEqual({
      ok: false,
      failure,
    })
    expect(await partFile(folder, PATH).size()).toBe(0)
  })
})

test('requests no more bytes after a cancel', async () => {
  hub.pace.bytesPerSecond = 100_000
  const ending = new AbortController()
  const outcome = await bring({
    signal: ending.signal,
    onProgress: (current) => current > 20_000 && ending.abort('canceled'),
  })
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'canceled' } })
  await until(() => hub.pouring() === 0, { what: 'the connection to end' })
  const sent = hub.sentBytes()
  const requests = hub.requests.length
  hub.pace.bytesPerSecond = null
  await truncate(partFile(folder, PATH).path, 0)
  expect([hub.sentBytes(), hub.requests.length]).toEqual([sent, requests])
})

test('a cancel ends the delay before a retry', async () => {
  hub.hubMischief.push({ status: 503, headers: { 'retry-after': '200' } })
  const ending = new AbortController()
  const outcome = bring({ signal: ending.signal })
  await until(() => hub.requests.length === 1)
  ending.abort('stopping')
  expect(await outcome).toMatchObject({ ok: false, failure: { code: 'stopping' } })
})
