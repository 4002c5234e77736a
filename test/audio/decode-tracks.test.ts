import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type AudioTrack, otherTracks } from '../../src/audio/decoding/audio-track.ts'
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
  const decodedSamples = new Float32Array(await Bun.file(path).arrayBuffer())
  expect(decodedSamples.length).toBe(samples)
  await decoded.value.dispose()
  return { samples: decodedSamples, warnings }
}

describe('decodes the track with the sentence and names the others', () => {
  test.each(readdirSync(folder).filter((name) => !name.endsWith('.md')))('%s', async (name) => {
    const { samples, warnings } = await decodedBy(decoder, name)
    expect(compareSound(speech, samples).correlation).toBeGreaterThan(0.9)
    expect(warnings).toEqual([{ code: 'other_tracks', message: expect.stringContaining('track 1') }])
  })

  test('with their names from the recording', async () => {
    const { warnings } = await decodedBy(decoder, 'three.mkv')
    expect(warnings[0]?.message).toBe(
      'The recording has 3 audio tracks. Only track 3 (Mic) was transcribed; track 1 (Game) and track 2 (deu) were not.',
    )
  })

  test.each(['default-second.mkv', 'chord-first.ogg', 'chord-first-vorbis.ogg', 'aac-and-opus.mkv'])(
    'without the optional decoder, if it is not needed: %s',
    async (name) => {
      const { samples, warnings } = await decodedBy(permissive, name)
      expect(compareSound(speech, samples).correlation).toBeGreaterThan(0.9)
      expect(warnings).toHaveLength(1)
    },
  )
})

describe('skips a track in an unsupported codec', () => {
  /** @param track index of the track that gets the codec */
  async function withUnknownCodec(track: number) {
    const bytes = Buffer.from(await Bun.file(join(folder, 'silent-first.mp4')).bytes())
    let entry = -1
    for (let found = 0; found <= track; found++)
      entry = bytes.indexOf('mp4a', bytes.indexOf('stsd', entry + 1))
    bytes.write('apac', entry, 'latin1')
    bytes.write('none', bytes.indexOf('esds', entry), 'latin1')
    const decoded = await decoder.decodeBytes(bytes)
    if (!decoded.ok) throw new Error(decoded.failure.message)
    const samples = new Float32Array(await Bun.file(decoded.value.path).arrayBuffer())
    await decoded.value.dispose()
    return { samples, warnings: decoded.value.warnings }
  }

  test('if it is the default one, beside one with speech', async () => {
    const { samples, warnings } = await withUnknownCodec(0)
    expect(compareSound(speech, samples).correlation).toBeGreaterThan(0.9)
    expect(warnings).toHaveLength(1)
  })

  test('if it is the second one, beside one without speech', async () => {
    const { samples, warnings } = await withUnknownCodec(1)
    expect(samples.length).toBeGreaterThan(16_000)
    expect(warnings).toHaveLength(1)
  })
})

test('adds no warning to a recording with one track', async () => {
  for (const name of ['formats/m4a-aac.m4a', 'formats/mov-aac.mov', 'formats/webm-opus.webm']) {
    const decoded = await decoder.decodeFile(join(SPEECH_FOLDER, name))
    if (!decoded.ok) throw new Error(decoded.failure.message)
    expect(decoded.value.warnings).toEqual([])
    await decoded.value.dispose()
  }
})

test('removes the files of rejected tracks', async () => {
  await decodedBy(decoder, 'silent-first.mp4')
  expect(readdirSync(decoder.folder)).toEqual([])
})

test('reduces untrusted track names to one short line each, and limits their number', () => {
  const track = (id: number): AudioTrack => ({
    ...{ id, isDefault: false, language: 'und' },
    title: `a\n\u001b[31m\u202etitle ${'x'.repeat(500)}`,
  })
  const tracks = Array.from({ length: 64 }, (_, id) => track(id))
  const { message } = otherTracks(tracks, tracks[3]!)
  expect(message).not.toMatch(/\p{C}/u)
  expect(message).toContain('and 55 more were not.')
  expect(message.length).toBeLessThan(1000)
})
