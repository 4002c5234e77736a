// Recordings read by several while the real decoder works on them.

import { afterAll, expect, test } from 'bun:test'
import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AudioKind } from '../../src/audio/audio-file.ts'
import type { AudioDecoder } from '../../src/audio/decode.ts'
import { createDecodedSounds, type KeptTimes } from '../../src/audio/decoded-sounds.ts'
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

/** The real decoder, and how often it was asked and ended. */
function openSounds(times: Partial<KeptTimes> = {}) {
  const outcomes: string[] = []
  let asked = 0
  const decode: AudioDecoder['decode'] = async (request) => {
    asked++
    const outcome = await real.decoder.decode(request)
    outcomes.push(outcome.ok ? 'decoded' : outcome.failure.code)
    return outcome
  }
  const usual = { unfinishedMs: HOUR_MS, finishedMs: HOUR_MS, worthMs: 0, unreadMs: HOUR_MS }
  return { sounds: createDecodedSounds({ decode }, { ...usual, ...times }), outcomes, asked: () => asked }
}

test('the beginning is read while the rest is decoded, and all of it by all who ask', async () => {
  const { sounds, outcomes, asked } = openSounds()
  const [one, other] = [sounds.open(long), sounds.open(long)]
  expect(await one.reach(16_000)).toMatchObject({ ok: true })
  expect(outcomes).toEqual([])
  const beginning = await one.read(0, 16_000)
  expect(beginning.length).toBe(16_000)
  const count = await other.count()
  if (!count.ok) throw new Error(count.failure.message)
  expect(await other.read(0, 16_000)).toEqual(beginning)
  expect((await other.read(count.value - 10, count.value + 10)).length).toBe(10)
  expect(asked()).toBe(1)
  one.leave()
  other.leave()
  await sounds.close()
  expect(await filesLeft()).toBe(0)
})

test('of a recording that is removed nothing is kept, whether somebody has left it or reads it still', async () => {
  const { sounds } = openSounds()
  const path = join(real.folder, '..', `${crypto.randomUUID()}.flac`)
  for (const leavesFirst of [true, false]) {
    await copyFile(short.path, path)
    const sound = sounds.open({ path, kind: FLAC })
    expect(await sound.count()).toMatchObject({ ok: true })
    if (leavesFirst) sound.leave()
    expect(await filesLeft()).toBe(1)
    sounds.forgetRemoved()
    expect(await filesLeft()).toBe(1)
    await rm(path)
    sounds.forgetRemoved()
    sound.leave()
    await until(async () => (await filesLeft()) === 0, PATIENCE)
  }
})

test('what was left is still there for who comes back in time, and one of them at most', async () => {
  const { sounds, asked } = openSounds()
  for (let visit = 0; visit < 2; visit++) {
    const sound = sounds.open(long)
    expect(await sound.count()).toMatchObject({ ok: true })
    sound.leave()
  }
  expect(asked()).toBe(1)
  const another = sounds.open(short)
  await another.count()
  another.leave()
  await until(async () => (await filesLeft()) === 1, PATIENCE)
  await sounds.close()
  expect(await filesLeft()).toBe(0)
})

test('what took no time to decode goes with its last reader', async () => {
  const { sounds, asked } = openSounds({ worthMs: HOUR_MS })
  const [one, other] = [sounds.open(short), sounds.open(short)]
  await one.count()
  one.leave()
  one.leave()
  expect((await other.read(0, 10)).length).toBe(10)
  other.leave()
  await until(async () => (await filesLeft()) === 0, PATIENCE)
  const again = sounds.open(short)
  await again.count()
  expect(asked()).toBe(2)
  again.leave()
  await sounds.close()
})

test('decoding stops when the last who waits for it leaves, or says nothing any more', async () => {
  for (const times of [{ unfinishedMs: 1 }, { unfinishedMs: 1, unreadMs: 1 }]) {
    const { sounds, outcomes } = openSounds(times)
    const sound = sounds.open(long)
    if (!('unreadMs' in times)) sound.leave()
    await until(() => outcomes.length === 1, PATIENCE)
    expect(outcomes).toEqual(['aborted'])
    expect(await filesLeft()).toBe(0)
  }
})

test('refuses what cannot be decoded, and tries anew when it is asked for again', async () => {
  const { sounds, asked } = openSounds()
  const broken = { path: join(SPEECH_FOLDER, 'index.json'), kind: FLAC }
  for (const times of [1, 2]) {
    const sound = sounds.open(broken)
    expect(await sound.reach(1)).toMatchObject({ ok: false })
    expect(await sound.count()).toMatchObject({ ok: false, failure: { code: 'undecodable_audio' } })
    sound.leave()
    expect(asked()).toBe(times)
  }
  expect(await filesLeft()).toBe(0)
})
