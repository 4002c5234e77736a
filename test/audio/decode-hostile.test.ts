import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { testAtLength } from '../support/at-length.ts'
import { childrenHere, environmentOf, isRunning } from '../support/children.ts'
import { sniffAudio } from '../support/sniff-audio.ts'
import { until } from '../support/until.ts'
import { createTestDecoder, SPEECH_FOLDER } from './decoded.ts'
import { decodeInProcess } from './decoding/in-process.ts'
import { hostileFiles, opusSilence, wavClaiming } from './hostile-files.ts'

const decoder = await createTestDecoder()
afterAll(async () => await decoder[Symbol.asyncDispose]())

// Compiling FFmpeg takes a second, and many of these tests do it.
setDefaultTimeout(180_000)
const hostile = await hostileFiles()
const WAV = join(SPEECH_FOLDER, 'formats/wav-s16.wav')
const M4A = join(SPEECH_FOLDER, 'formats/m4a-aac.m4a')

/** Their headers are false, but they contain audio. */
const DECODABLE = ['a WAV that claims 4 GB', 'a FLAC that claims 2^36 samples']
/** FFmpeg may or may not decode the rest of these; either is correct. */
const MAY_BE_DECODABLE = /mp4 that claims|AIFF that claims/

describe('malicious files', () => {
  for (const [name, bytes] of Object.entries(hostile)) {
    const isDecodable = DECODABLE.includes(name)
    test(isDecodable ? `decodes the audio of ${name}` : `rejects ${name}`, async () => {
      const result = await decoder.decodeBytes(bytes)
      if (result.ok) {
        expect(isDecodable || MAY_BE_DECODABLE.test(name)).toBe(true)
        expect(result.value.samples).toBeLessThan(16_000 * 20)
        await result.value.dispose()
      } else {
        expect(isDecodable).toBe(false)
        expect(result.failure.code).toBe('undecodable_audio')
        expect(result.failure.message).toMatch(/^[A-Z].*\.$/)
      }
    })
  }

  test('rejects hours of Opus silence in a few kilobytes once they exceed the limit', async () => {
    expect(opusSilence(3.4).length).toBeLessThan(330_000)
    expect(await decodeInProcess(opusSilence(3.4), 60)).toBe('audio_too_long')
    expect(((await decodeInProcess(opusSilence(0.1))) as Float32Array).length).toBeGreaterThan(16_000 * 350)
  })

  test('replaces NaN with silence and clamps samples to full scale', async () => {
    const samples = Float32Array.from([
      0.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      1e30,
      -7,
      -0.5,
    ])
    const body = new Uint8Array(samples.buffer)
    const decoded = await decodeInProcess(wavClaiming({ tag: 3, bits: 32, body }))
    expect([...decoded]).toEqual([0.5, 0, 0, 0, 1, -1, -0.5])
  })

  test('skips a chunk of odd length, padded or not', async () => {
    const wav = Buffer.from(wavClaiming({}))
    const odd = (padding: number[]) => Buffer.from([...Buffer.from('note'), 3, 0, 0, 0, 1, 2, 3, ...padding])
    for (const chunk of [odd([0]), odd([])]) {
      const bytes = Buffer.concat([wav.subarray(0, 12), chunk, wav.subarray(12)])
      expect((await decodeInProcess(new Uint8Array(bytes))).length).toBe(16_000)
    }
  })

  test('decodes a WAV whose header was never completed and has sizes of 0', async () => {
    const bytes = wavClaiming({ dataBytes: 0 })
    bytes.fill(0, 4, 8)
    expect((await decodeInProcess(bytes)).length).toBe(16_000)
  })
})

const PATIENCE = { timeoutMs: 60_000 }

const isDecoding = async (folder: string) => (await readdir(folder)).some((name) => name.endsWith('.f32'))

describe.skipIf(process.platform !== 'linux')('the decoder process', () => {
  const alone = async () => {
    const before = childrenHere()
    const own = await createTestDecoder()
    await own.decoder.warm()
    const added = childrenHere().filter((pid) => !before.includes(pid))
    return { own, spare: added[0]!, before }
  }

  test('is killed, and its files are removed, as soon as the caller aborts', async () => {
    const { own, before } = await alone()
    await using _ = own
    const bomb = join(own.folder, 'bomb')
    await Bun.write(bomb, opusSilence(0.9))
    const abort = new AbortController()
    const decoding = own.decodeFile(bomb, abort.signal)
    await until(() => isDecoding(own.folder), PATIENCE)
    abort.abort()
    const result = await decoding
    expect(result.ok ? null : result.failure.code).toBe('aborted')
    expect(await readdir(own.folder)).toEqual(['bomb'])
    await own.decoder.close()
    expect(childrenHere().filter((pid) => !before.includes(pid))).toEqual([])
  })

  testAtLength('is killed when it hangs', async () => {
    const { own, spare } = await alone()
    await using _ = own
    process.kill(spare, 'SIGSTOP')
    const result = await own.decodeFile(WAV)
    expect(result.ok ? null : result.failure.code).toBe('decode_timeout')
    expect(childrenHere()).not.toContain(spare)
    expect(await readdir(own.folder)).toEqual([])
    expect((await own.samplesOf(WAV)).length).toBe(52_640)
  })

  test('is replaced for the next recording if it dies while idle', async () => {
    const { own, spare } = await alone()
    await using _ = own
    process.kill(spare, 'SIGKILL')
    await until(() => !childrenHere().includes(spare), PATIENCE)
    expect((await own.samplesOf(WAV)).length).toBe(52_640)
  })

  test('reports decoder_crashed if it is killed during a decode, and is replaced', async () => {
    const { own, spare } = await alone()
    await using _ = own
    const decoding = own.decodeBytes(opusSilence(0.9))
    await until(() => isDecoding(own.folder), PATIENCE)
    process.kill(spare, 'SIGKILL')
    expect(await decoding).toMatchObject({ ok: false, failure: { code: 'decoder_crashed' } })
    expect(await readdir(own.folder)).toEqual([])
    expect((await own.samplesOf(WAV)).length).toBe(52_640)
  })

  test('is reused after damaged recordings, with FFmpeg still compiled', async () => {
    const { own, spare, before } = await alone()
    await using _ = own
    const m4a = await Bun.file(M4A).bytes()
    for (const damaged of [m4a.subarray(0, 15_000), m4a.slice().fill(0xff, 4096)])
      expect((await own.decodeBytes(damaged)).ok).toBe(false)
    expect((await own.samplesOf(M4A)).length).toBeGreaterThan(52_000)
    expect((await own.samplesOf(WAV)).length).toBe(52_640)
    expect(childrenHere().filter((pid) => !before.includes(pid))).toEqual([spare])
  })

  test('is not reused after it stopped in the middle of a recording', async () => {
    const { own, spare } = await alone()
    await using _ = own
    const result = await own.decodeBytes(wavClaiming({ rate: 1 }))
    expect(result.ok ? null : result.failure.code).toBe('undecodable_audio')
    expect(childrenHere()).not.toContain(spare)
  })

  test('ignores the signals that Ctrl-C sends to the whole process group', async () => {
    const { own, spare } = await alone()
    await using _ = own
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(spare, signal)
    expect((await own.samplesOf(WAV)).length).toBe(52_640)
    expect(isRunning(spare)).toBe(true)
  })

  test('serves many recordings, a few at a time', async () => {
    const { own } = await alone()
    await using _ = own
    const lengths = await Promise.all(
      Array.from({ length: 6 }, async () => (await own.samplesOf(WAV)).length),
    )
    expect(lengths).toEqual(Array.from({ length: 6 }, () => 52_640))
  })

  test('gets no environment variables', async () => {
    const { own, spare } = await alone()
    await using _ = own
    // Except the channel to its parent and the variables that Bun sets for its own children.
    expect(environmentOf(spare).filter((name) => !/^(NODE|BUN)_/.test(name))).toEqual([])
  })

  test('rejects recordings after close', async () => {
    const own = await createTestDecoder({ spare: false })
    await own.decoder.close()
    const kind = sniffAudio(await Bun.file(WAV).bytes())!
    const result = await own.decoder.decode({ path: WAV, kind, signal: new AbortController().signal })
    expect(result.ok ? null : result.failure.code).toBe('aborted')
    await own[Symbol.asyncDispose]()
  })
})
