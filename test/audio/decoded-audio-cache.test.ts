import { afterAll, expect, test } from 'bun:test'
import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AudioKind } from '../../src/audio/audio-file.ts'
import type { AudioDecoder } from '../../src/audio/decode.ts'
import { createDecodedAudioCache, type RetentionTimes } from '../../src/audio/decoded-audio-cache.ts'
import { until } from '../support/until.ts'
import { createTestDecoder, SPEECH_FOLDER } from './decoded.ts'

const real = await createTestDecoder()
afterAll(async () => await real[Symbol.asyncDispose]())

const FLAC: AudioKind = { format: 'flac', mediaType: 'audio/flac', extension: 'flac' }
const recording = (name: string) => ({ path: join(SPEECH_FOLDER, name), kind: FLAC })
const long = recording('long-3-minutes.flac')
const short = recording('human-6.flac')
const PATIENCE = { timeoutMs: 60_000 }
const HOUR_MS = 3_600_000
const filesLeft = async () => (await readdir(real.folder)).length

/** The real decoder; counts its calls and records their outcomes. */
function openSounds(times: Partial<RetentionTimes> = {}) {
  const outcomes: string[] = []
  let requests = 0
  const decode: AudioDecoder['decode'] = async (request) => {
    requests++
    const outcome = await real.decoder.decode(request)
    outcomes.push(outcome.ok ? 'decoded' : outcome.failure.code)
    return outcome
  }
  const usual = { unfinishedMs: HOUR_MS, finishedMs: HOUR_MS, worthMs: 0, unreadMs: HOUR_MS }
  return {
    sounds: createDecodedAudioCache({ decode }, { ...usual, ...times }),
    outcomes,
    requests: () => requests,
  }
}

test('readers get the beginning during decoding, and all of them get everything', async () => {
  const { sounds, outcomes, requests } = openSounds()
  const [one, other] = [sounds.open(long), sounds.open(long)]
  expect(await one.reach(16_000)).toMatchObject({ ok: true })
  expect(outcomes).toEqual([])
  const beginning = await one.read(0, 16_000)
  expect(beginning.length).toBe(16_000)
  const count = await other.count()
  if (!count.ok) throw new Error(count.failure.message)
  expect(await other.read(0, 16_000)).toEqual(beginning)
  expect((await other.read(count.value - 10, count.value + 10)).length).toBe(10)
  expect(requests()).toBe(1)
  one.leave()
  other.leave()
  await sounds.close()
  expect(await filesLeft()).toBe(0)
})

test('discards a recording whose file was deleted, whether its reader has left or not', async () => {
  const { sounds } = openSounds()
  const path = join(real.folder, '..', `${crypto.randomUUID()}.flac`)
  for (const leavesFirst of [true, false]) {
    await copyFile(short.path, path)
    const sound = sounds.open({ path, kind: FLAC })
    expect(await sound.count()).toMatchObject({ ok: true })
    if (leavesFirst) sound.leave()
    expect(await filesLeft()).toBe(1)
    sounds.discardDeleted()
    expect(await filesLeft()).toBe(1)
    await rm(path)
    sounds.discardDeleted()
    sound.leave()
    await until(async () => (await filesLeft()) === 0, PATIENCE)
  }
})

test('retains one recording for a reader that returns in time', async () => {
  const { sounds, requests } = openSounds()
  for (let visit = 0; visit < 2; visit++) {
    const sound = sounds.open(long)
    expect(await sound.count()).toMatchObject({ ok: true })
    sound.leave()
  }
  expect(requests()).toBe(1)
  const another = sounds.open(short)
  await another.count()
  another.leave()
  await until(async () => (await filesLeft()) === 1, PATIENCE)
  await sounds.close()
  expect(await filesLeft()).toBe(0)
})

test('discards a recording that decoded quickly with its last reader', async () => {
  const { sounds, requests } = openSounds({ worthMs: HOUR_MS })
  const [one, other] = [sounds.open(short), sounds.open(short)]
  await one.count()
  one.leave()
  one.leave()
  expect((await other.read(0, 10)).length).toBe(10)
  other.leave()
  await until(async () => (await filesLeft()) === 0, PATIENCE)
  const again = sounds.open(short)
  await again.count()
  expect(requests()).toBe(2)
  again.leave()
  await sounds.close()
})

test('stops decoding when the last reader leaves or stays inactive', async () => {
  for (const times of [{ unfinishedMs: 1 }, { unfinishedMs: 1, unreadMs: 1 }]) {
    const { sounds, outcomes } = openSounds(times)
    const sound = sounds.open(long)
    if (!('unreadMs' in times)) sound.leave()
    await until(() => outcomes.length === 1, PATIENCE)
    expect(outcomes).toEqual(['aborted'])
    expect(await filesLeft()).toBe(0)
  }
})

test('fails if the recording cannot be decoded, and tries again for the next reader', async () => {
  const { sounds, requests } = openSounds()
  const broken = { path: join(SPEECH_FOLDER, 'index.json'), kind: FLAC }
  for (const times of [1, 2]) {
    const sound = sounds.open(broken)
    expect(await sound.reach(1)).toMatchObject({ ok: false })
    expect(await sound.count()).toMatchObject({ ok: false, failure: { code: 'undecodable_audio' } })
    sound.leave()
    expect(requests()).toBe(times)
  }
  expect(await filesLeft()).toBe(0)
})
