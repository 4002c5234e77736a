// The cache in front of a shared store: what it keeps, what it checks, and how it behaves when the store fails. The
// folder stands for any store; the failures of a network are those of a real S3 server behind a proxy.

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../../src/lib/log.ts'
import { isMissing } from '../../src/lib/os-errors.ts'
import { sha256Of } from '../../src/lib/sha256-of.ts'
import { sweepCache } from '../../src/store/local-cache.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type Store, StoreError } from '../../src/store/store.ts'
import type { StoreAddress } from '../../src/store/store-address.ts'
import { type S3Front, startS3Front, type Trouble } from '../support/s3-front.ts'
import { isS3ServerInstalled, startS3Server } from '../support/s3-server.ts'

setDefaultTimeout(120_000)

const work = await mkdtemp(join(tmpdir(), 'dictation-store-'))
const s3 = isS3ServerInstalled() ? await startS3Server() : null
afterAll(async () => {
  await s3?.[Symbol.asyncDispose]()
  await rm(work, { recursive: true, force: true })
})

const PATH = 'captures/2026-01/a.flac'
const CONTENT = 'a recording of some length '.repeat(4000)

async function recording(content = CONTENT) {
  const file = join(work, crypto.randomUUID())
  await writeFile(file, content)
  return { file, sha256: await sha256Of(file) }
}

async function open(address: StoreAddress, dataFolder?: string): Promise<Store> {
  const folder = dataFolder ?? (await mkdtemp(join(work, 'data-')))
  const opened = await openStore({ address, dataFolder: folder, maxCacheBytes: 1e9, log: silentLog })
  if (!opened.ok) throw new Error(opened.failure)
  return opened.value.store
}

async function sharedFolder(): Promise<StoreAddress> {
  const folder = await mkdtemp(join(work, 'shared-'))
  return { name: folder, at: { folder } }
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

describe('a folder', () => {
  test('reads what another server stored, and keeps it in its own cache', async () => {
    const address = await sharedFolder()
    const [one, other] = [await open(address), await open(address)]
    const { file, sha256 } = await recording()
    await one.put(PATH, file)
    const local = await other.get(PATH, sha256)
    expect(await readFile(local, 'utf8')).toBe(CONTENT)
    expect(local.startsWith(other.folder)).toBe(true)
    expect(await other.get(PATH, sha256)).toBe(local)
    // The caller keeps its file until nothing depends on it.
    expect(existsSync(file)).toBe(true)
  })

  test('reports the local file before the store has it', async () => {
    const store = await open(await sharedFolder())
    const { file } = await recording()
    let isEarly = false
    await store.put(PATH, file, (local) => {
      isEarly = existsSync(local)
    })
    expect(isEarly).toBe(true)
  })

  test('never returns other bytes than those that were received', async () => {
    const address = await sharedFolder()
    const [one, other] = [await open(address), await open(address)]
    const { file, sha256 } = await recording()
    await one.put(PATH, file)
    await writeFile(join('folder' in address.at ? address.at.folder : '', PATH), 'something else')
    expect(await failureOf(other.get(PATH, sha256))).toBeInstanceOf(StoreError)
    expect(await Array.fromAsync(await readdir(join(other.folder, 'captures/2026-01')))).toEqual([])
  })

  test('reads a cached file again that a power cut spoiled', async () => {
    const address = await sharedFolder()
    const dataFolder = await mkdtemp(join(work, 'data-'))
    const { file, sha256 } = await recording()
    await (await open(address, dataFolder)).put(PATH, file)
    await rm(join(dataFolder, 'cache', PATH))
    await writeFile(join(dataFolder, 'cache', PATH), '')
    const again = await open(address, dataFolder)
    expect(await readFile(await again.get(PATH, sha256), 'utf8')).toBe(CONTENT)
  })

  test('removes a recording from the store and the cache', async () => {
    const address = await sharedFolder()
    const store = await open(address)
    const { file, sha256 } = await recording()
    await store.put(PATH, file)
    await store.remove(PATH)
    expect(isMissing(await failureOf(store.get(PATH, sha256)))).toBe(true)
    expect(await Array.fromAsync(store.list('captures/'))).toEqual([])
  })

  test('replaces texts, and returns the newest of another server', async () => {
    const address = await sharedFolder()
    const [one, other] = [await open(address), await open(address)]
    expect(await other.read('library.json')).toBeNull()
    await one.write('library.json', 'first')
    await one.write(
      'library.json',
      (function* () {
        yield 'second · '
        yield 'größer'
      })(),
    )
    expect(Buffer.from((await other.read('library.json'))!).toString()).toBe('second · größer')
    expect(await readdir(one.folder)).toEqual([])
  })

  test('stores nothing where its mount is missing', async () => {
    const address = await sharedFolder()
    const store = await open(address)
    const folder = 'folder' in address.at ? address.at.folder : ''
    await rm(folder, { recursive: true })
    await mkdir(folder)
    const { file, sha256 } = await recording()
    expect(String(await failureOf(store.put(PATH, file)))).toContain('is it mounted?')
    expect(await failureOf(store.get('captures/2026-01/b.flac', sha256))).toBeInstanceOf(StoreError)
    expect(await readdir(folder)).toEqual([])
  })

  test('removes the files that were used longest ago, and none that is in use', async () => {
    const folder = await mkdtemp(join(work, 'cache-'))
    await mkdir(join(folder, 'captures/2026-01'), { recursive: true })
    const now = Date.now()
    for (const [name, hoursAgo] of [
      ['old', 3],
      ['older', 4],
      ['young', 2],
      ['in-use', 0],
    ] as const) {
      const file = join(folder, 'captures/2026-01', name)
      await writeFile(file, Buffer.alloc(1000))
      await utimes(file, new Date(now), new Date(now - hoursAgo * 3_600_000))
    }
    await sweepCache(folder, { maxBytes: 2000, now })
    expect((await readdir(join(folder, 'captures/2026-01'))).sort()).toEqual(['in-use', 'young'])
    await sweepCache(folder, { maxBytes: 0, now })
    expect(await readdir(join(folder, 'captures/2026-01'))).toEqual(['in-use'])
  })
})

describe.skipIf(s3 === null)('an S3 server', () => {
  async function behindFront(): Promise<{ front: S3Front; address: StoreAddress }> {
    const front = await startS3Front(s3!.endpoint)
    const at = { ...s3!, endpoint: front.url, prefix: `${crypto.randomUUID()}/` }
    return { front, address: { name: 's3://recordings', at } }
  }

  for (const trouble of ['busy', 'slow'] satisfies Trouble[])
    test(`stores and returns recordings while the server is ${trouble}`, async () => {
      const { front, address } = await behindFront()
      await using _ = front
      const [one, other] = [await open(address), await open(address)]
      front.trouble = trouble
      for (let index = 0; index < 6; index++) {
        const { file, sha256 } = await recording(`${index}${CONTENT}`)
        const path = `captures/2026-01/${index}.flac`
        await one.put(path, file)
        expect(await sha256Of(await other.get(path, sha256))).toBe(sha256)
      }
      expect(await Array.fromAsync(other.list('captures/'))).toHaveLength(6)
    })

  for (const trouble of ['truncated', 'flipped'] satisfies Trouble[])
    test(`returns no ${trouble} recording, and the whole one afterwards`, async () => {
      const { front, address } = await behindFront()
      await using _ = front
      const [one, other] = [await open(address), await open(address)]
      const { file, sha256 } = await recording()
      await one.put(PATH, file)
      front.trouble = trouble
      expect(await failureOf(other.get(PATH, sha256))).toBeInstanceOf(StoreError)
      front.trouble = null
      expect(await sha256Of(await other.get(PATH, sha256))).toBe(sha256)
    })

  test('stores nothing that a connection has changed', async () => {
    const { front, address } = await behindFront()
    await using _ = front
    const store = await open(address)
    const { file } = await recording()
    front.trouble = 'flipped upload'
    expect(String(await failureOf(store.put(PATH, file)))).toContain('BadDigest')
    expect(existsSync(file)).toBe(true)
    front.trouble = null
    expect(await Array.fromAsync(store.list('captures/'))).toEqual([])
  })

  test('reports a server that is away, and takes the recording when it is back', async () => {
    const { front, address } = await behindFront()
    await using _ = front
    const store = await open(address)
    const { file, sha256 } = await recording()
    front.trouble = 'away'
    expect(await failureOf(store.put(PATH, file))).toBeInstanceOf(StoreError)
    expect(await failureOf(store.read('library.json'))).toBeInstanceOf(StoreError)
    front.trouble = null
    await store.put(PATH, file)
    await rm(join(store.folder, PATH))
    expect((await stat(await store.get(PATH, sha256))).size).toBe(CONTENT.length)
  })

  const REFUSED: [what: string, wrong: object, said: string][] = [
    ['a wrong secret', { secretAccessKey: 'wrong' }, 'AWS_SECRET_ACCESS_KEY is not the secret'],
    ['an unknown key', { accessKeyId: 'nobody' }, 'the server does not know AWS_ACCESS_KEY_ID'],
    ['a missing bucket', { bucket: 'missing' }, 'there is no such bucket'],
    ['a server that does not answer', { endpoint: 'http://127.0.0.1:9' }, 'does not answer'],
  ]
  for (const [what, wrong, said] of REFUSED)
    test(`refuses ${what} with one line that says what to do`, async () => {
      const dataFolder = await mkdtemp(join(work, 'data-'))
      const address = { name: 's3://recordings', at: { ...s3!, ...wrong } }
      const opened = await openStore({ address, dataFolder, maxCacheBytes: 1e9, log: silentLog })
      const failure = opened.ok ? '' : opened.failure
      expect(failure).toContain(said)
      expect(failure).toContain('The store s3://recordings (DICTATION_STORE) cannot be used: ')
      expect(failure).not.toContain('\n')
    })
})

test('refuses a folder that does not exist, and one that cannot be written', async () => {
  const dataFolder = await mkdtemp(join(work, 'data-'))
  const open = (folder: string) =>
    openStore({ address: { name: folder, at: { folder } }, dataFolder, maxCacheBytes: 1e9, log: silentLog })
  const missing = await open(join(work, 'missing'))
  expect(missing.ok ? '' : missing.failure).toContain('there is no such folder; create or mount it')
  // /proc accepts no files, not even from root.
  if (process.platform !== 'linux') return
  const unwritable = await open('/proc/self')
  expect(unwritable.ok ? '' : unwritable.failure).toContain('/proc/self')
})
