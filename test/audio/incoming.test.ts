import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { receiveAudio } from '../../src/audio/incoming.ts'
import { SPEECH_FOLDER } from './decoded.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'incoming test '))
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

const WAV = join(SPEECH_FOLDER, 'formats/wav-s16.wav')
const MAX_BYTES = 1024 ** 3

// Mounting a file system takes root.
const canMount = process.platform === 'linux' && process.getuid?.() === 0

async function onDisk(size: string, work: () => Promise<void>): Promise<void> {
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  if (!mounted.success) return
  try {
    await work()
  } finally {
    Bun.spawnSync(['umount', folder])
  }
}

async function* inPieces(bytes: Uint8Array, pieceBytes: number) {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

describe('an incoming recording', () => {
  for (const pieceBytes of [1000, 65_536, 10_000_000]) {
    test(`is stored completely when it arrives in pieces of ${pieceBytes} bytes`, async () => {
      const bytes = await Bun.file(WAV).bytes()
      const result = await receiveAudio({
        folder,
        id: 'here',
        body: inPieces(bytes, pieceBytes),
        maxBytes: MAX_BYTES,
      })
      const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
      const kind = { format: 'wav', mediaType: 'audio/wav', extension: 'wav' }
      const value = { path: join(folder, 'here.part'), bytes: bytes.length, sha256, kind, interrupted: false }
      expect(result).toEqual({ ok: true, value })
      expect(await Bun.file(value.path).bytes()).toEqual(bytes)
    })
  }

  test('is rejected without a trace if it arrives too slowly', async () => {
    const bytes = await Bun.file(WAV).bytes()
    async function* slowly() {
      for (let at = 0; ; at += 1) {
        yield bytes.subarray(at, at + 1)
        await Bun.sleep(1)
      }
    }
    const pace = { graceMs: 50, bytesPerSecond: 10_000 }
    const result = await receiveAudio({ folder, body: slowly(), maxBytes: MAX_BYTES, pace })
    expect(result).toMatchObject({ ok: false, failure: { code: 'body_interrupted' } })
    expect(await readdir(folder)).toEqual([])
  })

  test('is readable only by its owner', async () => {
    const result = await receiveAudio({
      folder,
      body: inPieces(await Bun.file(WAV).bytes(), 9999),
      maxBytes: MAX_BYTES,
    })
    expect(result.ok && (await stat(result.value.path)).mode & 0o777).toBe(0o600)
  })

  test('uses constant memory, regardless of its size', async () => {
    const wav = await Bun.file(WAV).bytes()
    const filler = new Uint8Array(64 * 1024)
    async function* long() {
      yield wav
      for (let i = 0; i < 3200; i++) yield filler
    }
    Bun.gc(true)
    const before = process.memoryUsage().rss
    const result = await receiveAudio({ folder, body: long(), maxBytes: MAX_BYTES })
    expect(result.ok && result.value.bytes).toBe(wav.length + 3200 * filler.length)
    expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(100)
  })
})

describe('a rejected recording leaves no file:', () => {
  const refusal = async (request: Omit<Parameters<typeof receiveAudio>[0], 'folder'>) => {
    const result = await receiveAudio({ folder, ...request })
    expect(await readdir(folder)).toEqual([])
    return result.ok ? null : result.failure.code
  }

  test('an empty body', async () => {
    expect(await refusal({ body: inPieces(new Uint8Array(0), 1), maxBytes: MAX_BYTES })).toBe('empty_file')
  })

  test('text, at its end', async () => {
    const body = inPieces(Buffer.from('no sound'), 3)
    expect(await refusal({ body, maxBytes: MAX_BYTES })).toBe('unsupported_audio')
  })

  test('endless text, after 64 KiB', async () => {
    let given = 0
    let stopped = false
    async function* endless() {
      try {
        for (;;) {
          given += 1024
          yield new Uint8Array(1024).fill(0x61)
        }
      } finally {
        stopped = true
      }
    }
    expect(await refusal({ body: endless(), maxBytes: MAX_BYTES })).toBe('unsupported_audio')
    expect(given).toBe(64 * 1024)
    expect(stopped).toBe(true)
  })

  test('one byte more than the limit; a recording of exactly the limit is accepted', async () => {
    const bytes = await Bun.file(WAV).bytes()
    const body = () => inPieces(bytes, 4096)
    expect(await refusal({ body: body(), maxBytes: bytes.length - 1 })).toBe('file_too_large')
    const fits = await receiveAudio({ folder, body: body(), maxBytes: bytes.length })
    expect(fits.ok).toBe(true)
  })

  test('a body whose connection breaks', async () => {
    async function* broken() {
      yield (await Bun.file(WAV).bytes()).subarray(0, 20_000)
      throw new Error('connection reset')
    }
    expect(await refusal({ body: broken(), maxBytes: MAX_BYTES })).toBe('body_interrupted')
  })

  test('a stalled body when the request is aborted', async () => {
    const abort = new AbortController()
    async function* stalled() {
      yield (await Bun.file(WAV).bytes()).subarray(0, 20_000)
      abort.abort()
      await new Promise(() => {})
    }
    expect(await refusal({ body: stalled(), maxBytes: MAX_BYTES, signal: abort.signal })).toBe(
      'body_interrupted',
    )
  })

  test('a missing folder; throws the file system error', async () => {
    const body = inPieces(await Bun.file(WAV).bytes(), 999)
    const received = receiveAudio({ folder: join(folder, 'missing'), body, maxBytes: MAX_BYTES })
    await expect(received).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a name that exists; the existing recording is not overwritten', async () => {
    await Bun.write(join(folder, 'here.part'), 'the first')
    const body = inPieces(await Bun.file(WAV).bytes(), 999)
    const received = receiveAudio({ folder, id: 'here', body, maxBytes: MAX_BYTES })
    await expect(received).rejects.toMatchObject({ code: 'EEXIST' })
    expect(await Bun.file(join(folder, 'here.part')).text()).toBe('the first')
  })
})

describe('the only copy of a recording', () => {
  const live = { idleMs: 60_000, isOnlyCopy: true }
  const contents = async (path: string) => Buffer.from(await Bun.file(path).arrayBuffer())
  const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

  test('is stopped by the limit and stored up to the last byte that fits', async () => {
    const bytes = Buffer.from(await Bun.file(WAV).bytes())
    const maxBytes = 50_001
    const result = await receiveAudio({ folder, id: 'here', body: inPieces(bytes, 4096), maxBytes, live })
    const stored = bytes.subarray(0, maxBytes)
    expect(result).toMatchObject({
      ok: true,
      value: { bytes: maxBytes, sha256: sha256(stored), interrupted: true, cut: { code: 'file_too_large' } },
    })
    expect(await contents(join(folder, 'here.audio'))).toEqual(stored)
  })

  test('is removed if it is not a recording', async () => {
    const body = inPieces(Buffer.alloc(100_000, 'no sound'), 4096)
    const result = await receiveAudio({ folder, body, maxBytes: MAX_BYTES, live })
    expect(result).toMatchObject({ ok: false, failure: { code: 'unsupported_audio' } })
    expect(await readdir(folder)).toEqual([])
  })

  test.skipIf(!canMount)(
    'is stored as far as it fits on a full disk; a recording that the client can resend is not',
    async () => {
      await onDisk('64k', async () => {
        const bytes = Buffer.from(await Bun.file(join(SPEECH_FOLDER, 'formats/wav-s24.wav')).bytes())
        const send = (isOnlyCopy: boolean) =>
          receiveAudio({
            ...{ folder, body: inPieces(bytes, 8192), maxBytes: MAX_BYTES },
            live: { ...live, isOnlyCopy },
          })
        expect(await send(false)).toMatchObject({ ok: false, failure: { code: 'disk_full' } })
        expect(await readdir(folder)).toEqual([])
        const result = await send(true)
        if (!result.ok) throw new Error(result.failure.message)
        const { path, bytes: count, cut } = result.value
        expect(count).toBeGreaterThan(50_000)
        expect(cut).toMatchObject({ thrown: { code: 'ENOSPC' } })
        expect(await contents(path)).toEqual(bytes.subarray(0, count))
        expect(result.value.sha256).toBe(sha256(bytes.subarray(0, count)))
      })
    },
  )
})

test.skipIf(!canMount)('rejects a recording if the disk is full', async () => {
  await onDisk('64k', async () => {
    const body = inPieces(await Bun.file(join(SPEECH_FOLDER, 'formats/wav-s24.wav')).bytes(), 8192)
    const result = await receiveAudio({ folder, body, maxBytes: MAX_BYTES })
    expect(result.ok ? null : result.failure.code).toBe('disk_full')
    expect(await readdir(folder)).toEqual([])
  })
})
