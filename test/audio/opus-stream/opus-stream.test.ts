// Streamed Opus decodes to the same samples as the file; invalid data ends the stream.

import { describe, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { createByteQueue } from '../../../src/audio/byte-queue.ts'
import { opusSamples } from '../../../src/audio/opus-stream/demuxer.ts'
import { createMonoOpus } from '../../../src/audio/opus-stream/mono-opus.ts'
import { createOpusStream } from '../../../src/audio/opus-stream/opus-stream.ts'
import { isQuick } from '../../support/quick.ts'
import { createRandom } from '../../support/random.ts'
import { SPEECH_FOLDER } from '../decoded.ts'
import { decodeInProcess } from '../decoding/in-process.ts'
import { opusSilence } from '../hostile-files.ts'
import { packetsOf, piecesOf, streamed } from './streamed.ts'
import {
  CLUSTER,
  EBML_HEADER,
  element,
  lacedBlock,
  SEGMENT,
  simpleBlock,
  trackOf,
  tracksOf,
} from './webm-of.ts'

const speechFile = (name: string) => Bun.file(join(SPEECH_FOLDER, name)).bytes()
const formatFile = (name: string) => speechFile(`formats/${name}`)
const NAMES = ['webm-opus-live.webm', 'webm-opus.webm', 'ogg-opus.opus']

describe.each(NAMES)('%s', (name) => {
  test.each([1, 7, 1000, 65_536])('decodes in pieces of %d bytes as the file does', async (size) => {
    const bytes = await formatFile(name)
    const { samples, code } = await streamed(piecesOf(bytes, size))
    expect(code).toBe(null)
    expect(samples.length).toBeGreaterThan(52_000)
    expect(samples).toEqual((await decodeInProcess(bytes)) as Float32Array)
  })

  test('is mixed down from two channels as the file is', async () => {
    const bytes = await formatFile(name)
    bytes[Buffer.from(bytes).indexOf('OpusHead') + 9] = 2
    const { samples } = await streamed(piecesOf(bytes, 777))
    expect(samples).toEqual((await decodeInProcess(bytes)) as Float32Array)
  })

  test('truncated anywhere decodes what came before', async () => {
    const bytes = await formatFile(name)
    const whole = (await streamed([bytes])).samples
    for (let tenth = 1; tenth < 10; tenth++) {
      const { samples, code } = await streamed([bytes.subarray(0, (bytes.length * tenth) / 10)])
      // An Ogg page holds a second, and headers contain no audio.
      expect(samples.length / whole.length).toBeGreaterThan(tenth / 10 - 0.36)
      expect(samples).toEqual(whole.subarray(0, samples.length))
      expect(code).toBe(null)
    }
  })

  test('with damaged bytes ends normally or with a failure', async () => {
    const random = createRandom(11)
    const below = (limit: number) => Math.floor(((random() + 1) / 2) * limit)
    const bytes = await formatFile(name)
    for (let round = 0; round < (isQuick ? 20 : 100); round++) {
      const damaged = bytes.slice()
      for (let change = 0; change <= round % 5; change++) damaged[4 + below(bytes.length - 4)] = below(256)
      const { samples, code } = await streamed([damaged])
      expect([null, 'undecodable_audio', 'unsupported_audio']).toContain(code)
      expect(samples.every((sample) => Math.abs(sample) <= 1)).toBe(true)
    }
  })
})

const { head, packets } = await packetsOf(await formatFile('webm-opus-live.webm'))
const sound = trackOf({ number: 2, type: 2, codec: 'A_OPUS', head })
const webm = (...parts: Uint8Array[]) => Buffer.concat([EBML_HEADER, SEGMENT, ...parts])
const spoken = packets.map((packet) => simpleBlock(2, packet))
const whole = (await streamed([await formatFile('webm-opus-live.webm')])).samples

test('skips video frames of any size', async () => {
  const video = trackOf({ number: 1, type: 1, codec: 'V_VP8' })
  const picture = simpleBlock(1, new Uint8Array(300_000))
  const bytes = webm(
    tracksOf(video, sound),
    CLUSTER,
    picture,
    ...spoken.slice(0, 5),
    picture,
    ...spoken.slice(5),
  )
  expect((await streamed(piecesOf(bytes, 5000))).samples).toEqual(whole)
}, 180_000)

test('decodes all packets that share a block, in Matroska as well', async () => {
  const blocks = Array.from({ length: Math.ceil(packets.length / 3) }, (_, at) =>
    lacedBlock(2, packets.slice(at * 3, at * 3 + 3)),
  )
  const { samples, code } = await streamed(piecesOf(webm(tracksOf(sound), CLUSTER, ...blocks), 333))
  expect([samples, code]).toEqual([whole, null])
  const mkv = await speechFile('containers/opus-in.mkv')
  expect((await streamed(piecesOf(mkv, 333))).samples).toEqual((await decodeInProcess(mkv)) as Float32Array)
})

describe('fails after what came before for', () => {
  const began = webm(tracksOf(sound), CLUSTER, ...spoken.slice(0, 10))
  const after = (...parts: Uint8Array[]) => Buffer.concat([began, ...parts])
  const UNDECODABLE: Record<string, Uint8Array> = {
    'a block over the maximum size': after(simpleBlock(2, new Uint8Array(100_000))),
    'a block that declares a gigabyte': after(
      element([0xa3], [0x82, 0, 0, 0, ...new Uint8Array(16)], 2 ** 30),
    ),
    'a part that declares a terabyte': after(element([0xec], new Uint8Array(16), 2 ** 40)),
    'bytes that are not an element': after(new Uint8Array(16)),
    'an invalid packet': after(simpleBlock(2, Uint8Array.from([0xff, 0xff, 0xff]))),
    'a packet over the maximum duration': after(
      simpleBlock(2, Uint8Array.from([3, 49, ...new Uint8Array(49)])),
    ),
    'sizes that do not fit their block': after(element([0xa3], [0x82, 0, 0, 0b010, 200, 255, 255, 255])),
  }
  test.each(Object.keys(UNDECODABLE))('%s', async (what) => {
    const { samples, code } = await streamed([UNDECODABLE[what]!])
    expect(code).toBe('undecodable_audio')
    expect(samples).toEqual(whole.subarray(0, samples.length))
    expect(samples.length).toBeGreaterThan(2000)
  })

  test('a second recording', async () => {
    for (const name of ['webm-opus-live.webm', 'ogg-opus.opus']) {
      const once = await formatFile(name)
      const { samples, code } = await streamed([once, once])
      expect([samples.length, code]).toEqual([(await streamed([once])).samples.length, 'unsupported_audio'])
    }
  })
})

describe('rejects', () => {
  test('other codecs and more than two channels', async () => {
    const others = [
      await formatFile('ogg-vorbis.ogg'),
      await formatFile('mkv-vorbis.mkv'),
      await speechFile('containers/flac-in.oga'),
      await speechFile('containers/opus-6ch.opus'),
    ]
    for (const bytes of others)
      expect(await streamed(piecesOf(bytes, 500))).toEqual({
        samples: new Float32Array(),
        code: 'unsupported_audio',
      })
  })

  test('a stream that ends before its audio, or has none', async () => {
    const tracks = Array.from({ length: 100 }, () => sound)
    for (const bytes of [
      Buffer.from('OggS'),
      EBML_HEADER,
      webm(tracksOf(sound)),
      webm(tracksOf(...tracks)),
      webm(CLUSTER, ...spoken),
      webm(tracksOf(trackOf({ number: 2, type: 2, codec: 'A_OPUS' })), ...spoken),
    ])
      expect((await streamed([bytes])).code).toBe('undecodable_audio')
  })

  test('more data at once than it can decode in time', async () => {
    const mb = webm(tracksOf(sound), CLUSTER, element([0xec], new Uint8Array(1024 ** 2)))
    expect((await streamed(Array.from({ length: 9 }, () => mb))).code).toBe('too_far_behind')
  })
})

test('hours in a few kilobytes do not block the event loop, and stop when the signal aborts', async () => {
  const work = new AbortController()
  let emitted = 0
  const stream = createOpusStream({
    container: 'ogg',
    signal: work.signal,
    emit(samples) {
      emitted += samples.length
      if (emitted > 16_000 * 1200) work.abort()
    },
  })
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  stream.push(opusSilence(10))
  stream.finish()
  await stream.ended
  isOver = true
  expect(turns).toBeGreaterThan(3)
  expect(emitted).toBeLessThan(16_000 * 1201)
})

test('every packet that passes the check decodes to its declared length without an error message', async () => {
  using messages = spyOn(console, 'error')
  const random = createRandom(5)
  const below = (limit: number) => Math.floor(((random() + 1) / 2) * limit)
  const opus = await createMonoOpus(
    Uint8Array.from([...Buffer.from('OpusHead'), 1, 1, 0, 0, ...new Uint8Array(7)]),
    () => {},
  )
  const all = Number.POSITIVE_INFINITY
  let taken = 0
  for (let round = 0; round < (isQuick ? 2000 : 30_000); round++) {
    const packet = Uint8Array.from({ length: 1 + below(round % 10 === 0 ? 3800 : 60) }, () => below(256))
    if (round % 2 === 0) packet[0] = packet[0]! & ~3
    const samples = opusSamples(packet)
    if (samples === null) {
      expect(() => opus.decode(packet, all)).toThrow('damaged')
      continue
    }
    taken++
    expect(opus.decode(packet, all)).toBe(samples / 3)
  }
  opus.free()
  expect(taken).toBeGreaterThan(1000)
  expect(messages).not.toHaveBeenCalled()
})

test('the byte queue returns bytes in order', () => {
  const queue = createByteQueue()
  const sent = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251)
  let read = 0
  for (const piece of piecesOf(sent, 997)) {
    queue.push(piece)
    if (queue.length() < 5000) continue
    expect(queue.peek(3)).toEqual(sent.subarray(read, read + 3))
    expect(queue.take(1700)).toEqual(sent.subarray(read, read + 1700))
    queue.skip(300)
    read += 2000
  }
  expect(queue.length()).toBe(sent.length - read)
  expect(queue.peek(1e6)).toEqual(sent.subarray(read))
})
