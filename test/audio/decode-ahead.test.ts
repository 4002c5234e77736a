import { afterAll, expect, test } from 'bun:test'
import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AudioKind } from '../../src/audio/audio-file.ts'
import type { AudioDecoder } from '../../src/audio/decode.ts'
import { createDecodeAhead } from '../../src/audio/decode-ahead.ts'
import { until } from '../support/until.ts'
import { createTestDecoder, SPEECH_FOLDER } from './decoded.ts'

const real = await createTestDecoder()
afterAll(async () => await real[Symbol.asyncDispose]())

const FLAC: AudioKind = { format: 'flac', mediaType: 'audio/flac', extension: 'flac' }
const recording = (name: string, bytes = 100_000) => ({ path: join(SPEECH_FOLDER, name), bytes, kind: FLAC })
const one = recording('human-6.flac')
const other = recording('short-01.flac')
const never = new AbortController().signal
const PATIENCE = { timeoutMs: 60_000 }

/** The real decoder; records the requested paths. */
function counted() {
  const requested: string[] = []
  const outcomes: ReturnType<AudioDecoder['decode']>[] = []
  const decode: AudioDecoder['decode'] = (request) => {
    requested.push(request.path)
    const outcome = real.decoder.decode(request)
    outcomes.push(outcome)
    return outcome
  }
  return { requested, outcomes, decode }
}

const filesLeft = async () => (await readdir(real.folder)).length

test('decodes a recording once and returns it to the first caller', async () => {
  const decoder = counted()
  const ahead = createDecodeAhead(decoder)
  ahead.begin(one)
  for (const times of [1, 2]) {
    const decoded = await ahead.decode({ ...one, signal: never })
    if (!decoded.ok) throw new Error(decoded.failure.message)
    expect(decoded.value.samples).toBe(52_640)
    await decoded.value.dispose()
    expect(decoder.requested).toEqual(Array(times).fill(one.path))
  }
})

test('decodes a recording again if it was moved during the early attempt', async () => {
  const decoder = counted()
  const ahead = createDecodeAhead(decoder)
  const path = join(real.folder, 'moved.flac')
  const moved = { ...one, path }
  ahead.begin(moved)
  expect((await decoder.outcomes[0])?.ok).toBe(false)
  await copyFile(one.path, path)
  const decoded = await ahead.decode({ ...moved, signal: never })
  expect(decoded.ok && (await decoded.value.dispose())).toBe(undefined)
  await rm(path)
  expect(decoder.requested).toEqual([path, path])
})

test('decodes other recordings on request, and retains the early one for its own job', async () => {
  const decoder = counted()
  const ahead = createDecodeAhead(decoder)
  ahead.begin(one)
  ahead.begin(other)
  for (const each of [other, one]) {
    const decoded = await ahead.decode({ ...each, signal: never })
    expect(decoded.ok && (await decoded.value.dispose())).toBe(undefined)
  }
  expect(decoder.requested).toEqual([one.path, other.path])
})

test('does not start a large recording early', () => {
  const decoder = counted()
  createDecodeAhead(decoder).begin(recording('human-6.flac', 3 * 1024 ** 2))
  expect(decoder.requested).toEqual([])
})

test('discards a recording that is not requested in time, and accepts the next one', async () => {
  const decoder = counted()
  const ahead = createDecodeAhead(decoder, 1)
  ahead.begin(one)
  await until(async () => {
    ahead.begin(other)
    return decoder.requested.includes(other.path)
  }, PATIENCE)
  // Until the outcomes are known, the file may not exist yet.
  await Promise.all(decoder.outcomes)
  await until(async () => (await filesLeft()) === 0, PATIENCE)
})

test('stops decoding when the caller aborts', async () => {
  const ahead = createDecodeAhead(counted())
  ahead.begin(one)
  const waiting = new AbortController()
  const decoded = ahead.decode({ ...one, signal: waiting.signal })
  waiting.abort()
  expect(await decoded).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  expect(await filesLeft()).toBe(0)
})
