// What every shared store does, for a folder and for a real S3 server.

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMissing } from '../../src/lib/os-errors.ts'
import { openBucket } from '../../src/store/bucket.ts'
import { claimStore, MARKER } from '../../src/store/marker.ts'
import { openSharedFolder } from '../../src/store/shared-folder.ts'
import type { SharedFiles } from '../../src/store/store.ts'
import { isS3ServerInstalled, startS3Server } from '../support/s3-server.ts'

setDefaultTimeout(120_000)

const work = await mkdtemp(join(tmpdir(), 'dictation-store-'))
const s3 = isS3ServerInstalled() ? await startS3Server() : null
afterAll(async () => {
  await s3?.[Symbol.asyncDispose]()
  await rm(work, { recursive: true, force: true })
})

async function file(content: string | Uint8Array): Promise<string> {
  const path = join(work, crypto.randomUUID())
  await writeFile(path, content)
  return path
}

const read = async (files: SharedFiles, path: string) =>
  Buffer.concat(await Array.fromAsync(await files.get(path))).toString()

const listed = async (files: SharedFiles, prefix: string) =>
  (await Array.fromAsync(files.list(prefix))).sort()

const STORES: [name: string, open: (() => Promise<SharedFiles>) | null][] = [
  ['a folder', async () => openSharedFolder(await mkdtemp(join(work, 'shared-')))],
  ['a bucket', s3 && (async () => openBucket({ ...s3, prefix: `${crypto.randomUUID()}/` }))],
]

for (const [name, open] of STORES)
  describe.skipIf(open === null)(name, () => {
    const opened = async () => {
      const files = await open!()
      const id = await claimStore(files, work)
      return { files, id }
    }

    test('stores, replaces, lists and removes files', async () => {
      const { files } = await opened()
      await files.put('captures/2026-01/a.flac', await file('one'))
      await files.put('captures/2026-01/a.flac', await file('two'))
      await files.put('captures/2026-02/b.json', await file('three'))
      expect(await read(files, 'captures/2026-01/a.flac')).toBe('two')
      expect(await listed(files, 'captures/')).toEqual(['captures/2026-01/a.flac', 'captures/2026-02/b.json'])
      expect(await listed(files, 'captures/2026-01/a.')).toEqual(['captures/2026-01/a.flac'])
      expect(await listed(files, '')).toContain(MARKER)
      await files.remove('captures/2026-01/a.flac')
      await files.remove('captures/2026-01/a.flac')
      expect(await listed(files, 'captures/')).toEqual(['captures/2026-02/b.json'])
    })

    test('reports a file that is not there as missing', async () => {
      const { files } = await opened()
      const failure = await files.get('captures/2026-01/none.flac').catch((error: unknown) => error)
      expect(isMissing(failure)).toBe(true)
    })

    test('leaves an existing file as it is on request', async () => {
      const { files } = await opened()
      await files.put('one', await file('first'), { isNew: true })
      await files.put('one', await file('second'), { isNew: true })
      expect(await read(files, 'one')).toBe('first')
    })

    test('has one id, however many servers claim it at once', async () => {
      const files = await open!()
      const ids = await Promise.all(Array.from({ length: 8 }, () => claimStore(files, work)))
      expect(new Set(ids).size).toBe(1)
      expect(await claimStore(files, work)).toBe(ids[0]!)
      expect(await listed(files, '')).toEqual([MARKER])
    })

    test('stores 20 MB byte for byte', async () => {
      const { files } = await opened()
      const bytes = new Uint8Array(20 * 1024 ** 2).map((_, index) => (index * 31) >> 3)
      await files.put('large', await file(bytes))
      expect(Buffer.concat(await Array.fromAsync(await files.get('large'))).equals(bytes)).toBe(true)
    })

    test('lists more files than one page of S3 holds', async () => {
      const { files } = await opened()
      const small = await file('x')
      const names = Array.from({ length: 1010 }, (_, index) => `many/${String(index).padStart(4, '0')}`)
      for (let from = 0; from < names.length; from += 50)
        await Promise.all(names.slice(from, from + 50).map((path) => files.put(path, small)))
      expect(await listed(files, 'many/')).toEqual(names)
    })
  })
