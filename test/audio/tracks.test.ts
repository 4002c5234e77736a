// Recordings with several tracks of sound: which one is decoded, and what is said of the others.

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { otherTracks } from '../../src/audio/decoding/choose-track.ts'
import type { SoundTrack } from '../../src/audio/decoding/sound-track.ts'
import { samplesOf } from '../support/flac.ts'
import { compareSound, createTestDecoder, SPEECH_FOLDER } from './decoded.ts'

// Compiling FFmpeg takes a second, and so does the speech model on a busy machine.
setDefaultTimeout(180_000)

const [decoder, permissive] = await Promise.all([
  createTestDecoder(),
  createTestDecoder({ optionalDecoder: false }),
])
afterAll(async () => {
  await decoder[Symbol.asyncDispose]()
  await permissive[Symbol.asyncDispose]()
})

const folder = join(SPEECH_FOLDER, 'tracks')
const speech = await samplesOf('human-3.flac')

async function decodedBy(one: typeof decoder, name: string) {
  const decoded = await one.decodeFile(join(folder, name))
  if (!decoded.ok) throw new Error(`${name}: ${decoded.failure.message}`)
  const { path, samples, warnings } = decoded.value
  const heard = new Float32Array(await Bun.file(path).arrayBuffer())
  expect(heard.length).toBe(samples)
  await decoded.value.dispose()
  return { heard, warnings }
}

describe('the track with the sentence is decoded, and the others are named', () => {
  test.each(readdirSync(folder).filter((name) => !name.endsWith('.md')))('%s', async (name) => {
    const { heard, warnings } = await decodedBy(decoder, name)
    expect(compareSound(speech, heard).correlation).toBeGreaterThan(0.9)
    expect(warnings).toEqual([{ code: 'other_tracks', message: expect.stringContaining('track 1') }])
  })

  test('with the names that the recording gives them', async () => {
    const { warnings } = await decodedBy(decoder, 'three.mkv')
    expect(warnings[0]?.message).toBe(
      'The recording has 3 audio tracks. Only track 3 (Mic) was transcribed; track 1 (Game) and track 2 (deu) were not.',
    )
  })

  test.each(['default-second.mkv', 'chord-first.ogg', 'chord-first-vorbis.ogg', 'aac-and-opus.mkv'])(
    'without the optional decoder, as far as that is not needed: %s',
    async (name) => {
      const { heard, warnings } = await decodedBy(permissive, name)
      expect(compareSound(speech, heard).correlation).toBeGreaterThan(0.9)
      expect(warnings).toHaveLength(1)
    },
  )
})

describe('a track in a codec that no decoder has is passed over', () => {
  /** @param track which one gets the codec, from 0 */
  async function withUnknownCodec(track: number) {
    const bytes = Buffer.from(await Bun.file(join(folder, 'silent-first.mp4')).bytes())
    let entry = -1
    for (let found = 0; found <= track; found++)
      entry = bytes.indexOf('mp4a', bytes.indexOf('stsd', entry + 1))
    bytes.write('apac', entry, 'latin1')
    bytes.write('none', bytes.indexOf('esds', entry), 'latin1')
    const decoded = await decoder.decodeBytes(bytes)
    if (!decoded.ok) throw new Error(decoded.failure.message)
    const heard = new Float32Array(await Bun.file(decoded.value.path).arrayBuffer())
    await decoded.value.dispose()
    return { heard, warnings: decoded.value.warnings }
  }

  test('the default one, beside one with speech', async () => {
    const { heard, warnings } = await withUnknownCodec(0)
    expect(compareSound(speech, heard).correlation).toBeGreaterThan(0.9)
    expect(warnings).toHaveLength(1)
  })

  test('the second one, beside one without speech', async () => {
    const { heard, warnings } = await withUnknownCodec(1)
    expect(heard.length).toBeGreaterThan(16_000)
    expect(warnings).toHaveLength(1)
  })
})

test('a recording with one track gives no warning', async () => {
  for (const name of ['formats/m4a-aac.m4a', 'formats/mov-aac.mov', 'formats/webm-opus.webm']) {
    const decoded = await decoder.decodeFile(join(SPEECH_FOLDER, name))
    if (!decoded.ok) throw new Error(decoded.failure.message)
    expect(decoded.value.warnings).toEqual([])
    await decoded.value.dispose()
  }
})

test('nothing is left behind of the tracks that were tried', async () => {
  await decodedBy(decoder, 'silent-first.mp4')
  expect(readdirSync(decoder.folder)).toEqual([])
})

test('names come from strangers: they are one short line each, and few', () => {
  const track = (id: number): SoundTrack => ({
    ...{ id, isDefault: false, language: 'und' },
    title: `a\n\u001b[31m\u202etitle ${'x'.repeat(500)}`,
  })
  const tracks = Array.from({ length: 64 }, (_, id) => track(id))
  const { message } = otherTracks(tracks, tracks[3]!)
  expect(message).not.toMatch(/\p{C}/u)
  expect(message).toContain('and 55 more were not.')
  expect(message.length).toBeLessThan(1000)
})
