import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { testAtLength } from '../support/at-length.ts'
import { silentFlac } from '../support/silent-flac.ts'
import { wavHeader } from '../support/wav.ts'
import { compareSound, createTestDecoder, SPEECH_FOLDER } from './decoded.ts'

const decoder = await createTestDecoder()
afterAll(async () => await decoder[Symbol.asyncDispose]())

const file = (name: string) => join(SPEECH_FOLDER, name)
const recordingsIn = (folder: string) =>
  readdirSync(file(folder))
    .filter((name) => !name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)

const EIGHT_KHZ = ['wav-alaw.wav', 'wav-mulaw.wav']
// Compiling FFmpeg takes a second, and many of these tests do it.
setDefaultTimeout(180_000)

const reference = await decoder.samplesOf(file('human-6.flac'))

/** These contain the sound in one channel of six, or panned to two; the average is quieter accordingly. */
const GAIN_DB: Record<string, number> = {
  'formats/wav-6ch.wav': -15.6,
  'containers/opus-6ch.opus': -15.6,
  'formats/wav-48k-stereo.wav': -3,
  'formats/mp3-vbr.mp3': -3,
}
/** The encoder's delay, for containers that cannot store it. */
const DELAY_MS: Record<string, number> = {
  'formats/mp4-aac-fragmented.mp4': 21,
  'formats/aac-adts.aac': 23,
  'containers/wma.wma': -32,
  'containers/mp2.mp2': 30,
  'containers/mp3-in.mka': 69,
  'containers/mp3-in.avi': 69,
  'containers/aac-in.mpegts': 64,
}

describe('every container and sample format decodes to the same audio', () => {
  for (const name of [...recordingsIn('formats'), ...recordingsIn('containers')]) {
    test(name, async () => {
      const decoded = await decoder.samplesOf(file(name))
      const { delayMs, correlation, gainDb } = compareSound(reference, decoded)
      const narrow = EIGHT_KHZ.some((end) => name.endsWith(end)) || name.includes('opus')
      expect(correlation).toBeGreaterThan(narrow ? 0.96 : 0.98)
      expect(Math.abs(delayMs - (DELAY_MS[name] ?? 0))).toBeLessThan(2)
      expect(Math.abs(gainDb - (GAIN_DB[name] ?? 0))).toBeLessThan(0.6)
      const longerMs = (decoded.length - reference.length) / 16
      expect(Math.abs(longerMs - (DELAY_MS[name] ?? 0))).toBeLessThan(60)
      expect(decoded.every((sample) => Number.isFinite(sample) && Math.abs(sample) <= 1)).toBe(true)
    })
  }
})

test('lossless formats at 16 kHz decode to identical samples', async () => {
  const names = ['formats/wav-s16.wav', 'formats/wav-s24.wav', 'formats/wav-s32.wav', 'formats/wav-f32.wav']
  names.push('formats/wav-f64.wav', 'formats/mka-flac.mka', 'formats/au.au')
  for (const name of ['flac-in.oga', 'pcm-in.mkv', 'rf64.wav', 'rifx.wav', 'streamed.wav', 'pcm.w64'])
    names.push(`containers/${name}`)
  for (const name of names) {
    const decoded = await decoder.samplesOf(file(name))
    const differences = decoded.map((sample, i) => Math.abs(sample - reference[i]!))
    expect(decoded.length).toBe(reference.length)
    // FLAC's decoder divides by 32,767 where WAV's divides by 32,768.
    expect(differences.reduce((most, value) => Math.max(most, value), 0)).toBeLessThan(1 / 32_767)
  }
})

test('rejects an m4a that was truncated before its index', async () => {
  const whole = await Bun.file(file('formats/m4a-aac.m4a')).bytes()
  const result = await decoder.decodeBytes(whole.subarray(0, 15_000))
  expect(result).toEqual({ ok: false, failure: { code: 'undecodable_audio', message: expect.any(String) } })
})

const bytesOfFile = (name: string) => Bun.file(file(name)).bytes()
/** An ID3 tag with bytes that look like MPEG frames, as pictures in tags contain them. */
const tagOf = (bytes: number) => {
  const size = [21, 14, 7, 0].map((shift) => (bytes >> shift) & 127)
  const picture = Buffer.alloc(bytes, Buffer.from([0xff, 0xfb, 0x90, 0x64]))
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), Buffer.from(size), picture])
}

describe('decodes a recording after a large tag', () => {
  const names = [
    'aac-adts.aac',
    'mp3-cbr64.mp3',
    'wav-s16.wav',
    'flac-48k.flac',
    'ogg-opus.opus',
    'm4a-aac.m4a',
    'aiff.aiff',
  ]
  for (const name of names) {
    test(name, async () => {
      const bytes = Buffer.concat([tagOf(300_000), await bytesOfFile(`formats/${name}`)])
      const result = await decoder.decodeBytes(bytes)
      if (!result.ok) throw new Error(result.failure.message)
      expect(Math.abs(result.value.samples - reference.length)).toBeLessThan(1000)
      await result.value.dispose()
    })
  }
})

describe('rejects a recording that cannot be decoded, with the reason:', () => {
  const failureOf = async (bytes: Uint8Array) => {
    const result = await decoder.decodeBytes(bytes)
    return result.ok ? null : (result.failure as { code: string; message: string })
  }

  for (const [name, entry] of [
    ['FairPlay', 'drms'],
    ['Common Encryption', 'enca'],
  ] as const) {
    test(`an M4A protected by ${name}`, async () => {
      const bytes = Buffer.from(await bytesOfFile('formats/m4a-aac.m4a'))
      bytes.write(entry, bytes.indexOf('mp4a', bytes.indexOf('stsd')), 'latin1')
      expect(await failureOf(bytes)).toEqual({
        code: 'undecodable_audio',
        message: 'The sound of this file is encrypted and cannot be decoded. Send a copy without protection.',
      })
    })
  }

  test('a video without audio, in MP4 and in WebM', async () => {
    const withoutSound = {
      code: 'undecodable_audio',
      message: expect.stringContaining('This video has no sound track'),
    }
    const mp4 = Buffer.from(await bytesOfFile('formats/m4a-aac.m4a'))
    mp4.write('vide', mp4.indexOf('soun'), 'latin1')
    mp4.write('avc1', mp4.indexOf('mp4a', mp4.indexOf('stsd')), 'latin1')
    expect(await failureOf(mp4)).toEqual(withoutSound)
    const webm = Buffer.from(await bytesOfFile('formats/webm-opus.webm'))
    // The type of the track: 2 is audio, 1 is video.
    webm[webm.indexOf(Buffer.from([0x83, 0x81, 0x02])) + 2] = 1
    expect(await failureOf(webm)).toEqual(withoutSound)
  })

  test('a file of which only a fraction of a second can be decoded', async () => {
    const frames = (await bytesOfFile('formats/mp3-cbr64.mp3')).subarray(0, 2000)
    const bytes = Buffer.concat([frames, Buffer.alloc(300_000, 'no frames are here ')])
    expect(await failureOf(bytes)).toEqual({
      code: 'undecodable_audio',
      message: expect.stringMatching(/^Only 0\.\d s of audio could be decoded/),
    })
  })
})

describe('a decoded recording', () => {
  test('has a length, and deletes its file when disposed of, also twice', async () => {
    const result = await decoder.decodeFile(file('formats/wav-s16.wav'))
    if (!result.ok) throw new Error(result.failure.message)
    expect(result.value).toMatchObject({ samples: 52_640, durationMs: 3290 })
    await result.value.dispose()
    await result.value.dispose()
    expect(await readdir(decoder.folder)).toEqual([])
  })

  test('must not exceed the maximum length, but may reach it exactly', async () => {
    await using limited = await createTestDecoder({ maxAudioSeconds: 3, spare: false })
    const result = await limited.decodeFile(file('formats/webm-opus.webm'))
    expect(result).toEqual({
      ok: false,
      failure: { code: 'audio_too_long', message: 'The recording is longer than 3 seconds.' },
    })
    const byFfmpeg = await limited.decodeFile(file('formats/m4a-aac.m4a'))
    expect(byFfmpeg.ok ? null : byFfmpeg.failure.code).toBe('audio_too_long')
    expect(await readdir(limited.folder)).toEqual([])
    await using exact = await createTestDecoder({ maxAudioSeconds: 3.29, spare: false })
    expect((await exact.decodeFile(file('formats/wav-s16.wav'))).ok).toBe(true)
  })
})

describe('recordings of hours in a few kilobytes', () => {
  const HOUR = 3600
  const MINUTES = 600
  /** Space for one recording of ten minutes, which takes 38 MB. */
  const maxWorkBytes = 64 * 1024 ** 2

  test('rejects a recording that declares excessive length before it writes a sample', async () => {
    await using small = await createTestDecoder({ maxAudioSeconds: HOUR, spare: false })
    const writes: string[] = []
    const watcher = watch(small.folder, (_, name) => void writes.push(String(name)))
    const path = join(small.folder, 'a.flac')
    await Bun.write(path, silentFlac(2 * HOUR))
    const result = await small.decodeFile(path)
    watcher.close()
    expect(result.ok ? null : result.failure.code).toBe('audio_too_long')
    expect(writes.filter((name) => name.endsWith('.f32'))).toEqual([])
  })

  testAtLength('decodes all of a recording whose header declares no length or a false one', async () => {
    for (const declared of [0, 1]) {
      const result = await decoder.decodeBytes(silentFlac(MINUTES, declared))
      expect(result.ok && result.value.durationMs).toBeGreaterThanOrEqual(MINUTES * 1000)
      if (result.ok) await result.value.dispose()
    }
  })

  testAtLength('does not reserve space for a container that declares hours in a few kilobytes', async () => {
    await using small = await createTestDecoder({ maxWorkBytes })
    const m4a = Buffer.from(await bytesOfFile('formats/m4a-aac.m4a'))
    const mvhd = m4a.indexOf('mvhd') + 4
    m4a.writeUInt32BE(m4a.readUInt32BE(mvhd + 12) * HOUR, mvhd + 16)
    const mka = Buffer.from(await bytesOfFile('formats/mka-flac.mka'))
    const duration = mka.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3
    mka.writeDoubleBE(HOUR * 1000, duration)
    const path = join(small.folder, 'a.flac')
    await Bun.write(path, silentFlac(MINUTES))
    const held = await small.decodeFile(path)
    expect(held.ok).toBe(true)
    for (const bytes of [m4a, mka]) {
      const result = await small.decodeBytes(bytes)
      expect(result.ok && Math.abs(result.value.samples - reference.length)).toBeLessThan(1000)
      if (result.ok) await result.value.dispose()
    }
    if (held.ok) await held.value.dispose()
  })

  testAtLength('stops a recording that exceeds its declared length at the maximum length', async () => {
    await using small = await createTestDecoder({ maxAudioSeconds: HOUR, spare: false })
    const result = await small.decodeBytes(silentFlac(2 * HOUR, 1))
    expect(result.ok ? null : result.failure.code).toBe('audio_too_long')
    expect(await readdir(small.folder)).toEqual([])
  })

  testAtLength(
    'decodes as many at once as fit into the space; the others wait until one is disposed of',
    async () => {
      await using small = await createTestDecoder({ maxWorkBytes })
      const samplesIn = async () => (await readdir(small.folder)).filter((name) => name.endsWith('.f32'))
      const path = join(small.folder, 'a.flac')
      await Bun.write(path, silentFlac(MINUTES))
      const waiting = new Set(Array.from({ length: 4 }, () => small.decodeFile(path)))
      while (waiting.size > 0) {
        const [one, result] = await Promise.race(
          [...waiting].map(async (each) => [each, await each] as const),
        )
        waiting.delete(one)
        if (!result.ok) throw new Error(result.failure.message)
        // A dictation does not wait behind them; when it is done, no other recording has started.
        expect((await small.samplesOf(file('human-6.flac'))).length).toBeGreaterThan(0)
        expect(await samplesIn()).toHaveLength(1)
        await result.value.dispose()
      }
      const alone = await small.decodeBytes(silentFlac(2 * MINUTES))
      expect(alone.ok).toBe(true)
    },
  )

  testAtLength(
    'a recording that waits for space leaves the queue when its request is cancelled',
    async () => {
      await using small = await createTestDecoder({ maxWorkBytes })
      const path = join(small.folder, 'a.flac')
      await Bun.write(path, silentFlac(MINUTES))
      const first = await small.decodeFile(path)
      const stop = new AbortController()
      const second = small.decodeFile(path, stop.signal)
      const third = small.decodeFile(path)
      stop.abort()
      expect(await second).toMatchObject({ ok: false, failure: { code: 'aborted' } })
      if (first.ok) await first.value.dispose()
      expect((await third).ok).toBe(true)
    },
  )

  test('rejects a recording that does not fit on the disk, and reports the space it needs', async () => {
    await using endless = await createTestDecoder({ maxAudioSeconds: 1e12, spare: false })
    const opus = Buffer.from(await Bun.file(file('formats/ogg-opus.opus')).bytes())
    // The last page declares the stream's length, at 48 kHz: three thousand years.
    opus.writeBigInt64LE(48_000n * 10n ** 11n, opus.lastIndexOf('OggS') + 6)
    const result = await endless.decodeBytes(opus)
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'disk_full', message: expect.stringMatching(/needs \d+ MB. Free another \d+ MB/) },
    })
  })
})

describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'on a disk with little space',
  () => {
    /** Space for a minute of samples, but not for what the size of the file suggests. */
    async function onSmallDisk(
      work: (small: Awaited<ReturnType<typeof createTestDecoder>>) => Promise<void>,
    ) {
      await using small = await createTestDecoder({ spare: false })
      if (!Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=50m', 'tmpfs', small.folder]).success) return
      try {
        await work(small)
      } finally {
        Bun.spawnSync(['umount', '-l', small.folder])
      }
    }

    test('decodes a recording that needs less space than its size suggests', async () => {
      await onSmallDisk(async (small) => {
        const dataBytes = 60 * 48_000 * 4
        const header = wavHeader({ dataBytes, rate: 48_000, channels: 2 })
        const result = await small.decodeBytes(Buffer.concat([header, Buffer.alloc(dataBytes)]))
        expect(result.ok && result.value.durationMs).toBe(60_000)
      })
    })

    testAtLength(
      'rejects a recording whose length shows only during decoding, and frees the disk',
      async () => {
        await onSmallDisk(async (small) => {
          const result = await small.decodeBytes(silentFlac(1500, 0))
          expect(result).toMatchObject({ ok: false, failure: { code: 'disk_full' } })
          expect(await readdir(small.folder)).toEqual([])
        })
      },
    )
  },
)

describe('without the optional decoder', () => {
  test('names the command that installs it where it is needed; decodes everything else', async () => {
    await using bare = await createTestDecoder({ optionalDecoder: false })
    for (const name of [
      'm4a-aac.m4a',
      'm4a-alac.m4a',
      'aiff.aiff',
      'wav-adpcm.wav',
      'aac-adts.aac',
      'caf-s16.caf',
    ]) {
      const result = await bare.decodeFile(file(`formats/${name}`))
      expect(result.ok ? null : result.failure.code).toBe('decoder_missing')
      expect(result.ok ? null : result.failure.message).toContain('"dictation decoder install"')
    }
    for (const name of [
      'wav-s16.wav',
      'mp3-vbr.mp3',
      'ogg-vorbis.ogg',
      'webm-opus-live.webm',
      'flac-48k.flac',
    ])
      expect((await bare.samplesOf(file(`formats/${name}`))).length).toBeGreaterThan(52_000)
  })

  test('reports a damaged file as damaged, not as in need of an installation', async () => {
    await using bare = await createTestDecoder({ optionalDecoder: false })
    const result = await bare.decodeBytes(
      (await Bun.file(file('formats/wav-s16.wav')).bytes()).subarray(0, 30),
    )
    expect(result.ok ? null : result.failure.code).toBe('undecodable_audio')
  })
})
