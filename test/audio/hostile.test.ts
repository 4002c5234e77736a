import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { childrenHere, environmentOf, isRunning } from '../support/children.ts'
import { sniffAudio } from '../support/sniff-audio.ts'
import { until } from '../support/until.ts'
import { createTestDecoder, SPEECH_FOLDER } from './decoded.ts'
import { decodeInProcess } from './decoding/in-process.ts'
import { hostileFiles, opusSilence, wavClaiming } from './hostile-files.ts'

const decoder = await createTestDecoder()
afterAll(async () => await decoder[Symbol.asyncDispose]())

// Compiling FFmpeg takes a second, and many of these do it.
setDefaultTimeout(180_000)
const hostile = await hostileFiles()
const WAV = join(SPEECH_FOLDER, 'formats/wav-s16.wav')
const M4A = join(SPEECH_FOLDER, 'formats/m4a-aac.m4a')

/** Their claims are false, their sound is there. */
const HEARD_ALL_THE_SAME = ['a WAV that claims 4 GB', 'a FLAC that claims 2^36 samples']
/** Either is right: FFmpeg may make sense of what is left. */
const MAY_BE_HEARD = /mp4 that claims|AIFF that claims/

describe('files made to do harm', () => {
  for (const [name, bytes] of Object.entries(hostile)) {
    const heard = HEARD_ALL_THE_SAME.includes(name)
    test(heard ? `${name} is heard as far as it goes` : `refuses ${name}`, async () => {
      const result = await decoder.decodeBytes(bytes)
      if (result.ok) {
        expect(heard || MAY_BE_HEARD.test(name)).toBe(true)
        expect(result.value.samples).toBeLessThan(16_000 * 20)
        await result.value.dispose()
      } else {
        expect(heard).toBe(false)
        expect(result.failure.code).toBe('undecodable_audio')
        expect(result.failure.message).toMatch(/^[A-Z].*\.$/)
      }
    })
  }

  test('refuses hours of Opus silence in a few kilobytes once they pass the limit', async () => {
    expect(opusSilence(3.4).length).toBeLessThan(330_000)
    expect(await decodeInProcess(opusSilence(3.4), 60)).toBe('audio_too_long')
    expect(((await decodeInProcess(opusSilence(0.1))) as Float32Array).length).toBeGreaterThan(16_000 * 350)
  })

  test('numbers that are none become silence, and none is louder than 1', async () => {
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
    const heard = await decodeInProcess(wavClaiming({ tag: 3, bits: 32, body }))
    expect([...heard]).toEqual([0.5, 0, 0, 0, 1, -1, -0.5])
  })

  test('a chunk of odd length is passed over, padded or not', async () => {
    const wav = Buffer.from(wavClaiming({}))
    const odd = (padding: number[]) => Buffer.from([...Buffer.from('note'), 3, 0, 0, 0, 1, 2, 3, ...padding])
    for (const chunk of [odd([0]), odd([])]) {
      const bytes = Buffer.concat([wav.subarray(0, 12), chunk, wav.subarray(12)])
      expect((await decodeInProcess(new Uint8Array(bytes))).length).toBe(16_000)
    }
  })

  test('a header that was never finished, with sizes of 0, still gives the sound', async () => {
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

  test('is gone, and its files too, as soon as the caller aborts', async () => {
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

  test('is killed when it stands still', async () => {
    const { own, spare } = await alone()
    await using _ = own
    process.kill(spare, 'SIGSTOP')
    const result = await own.decodeFile(WAV)
    expect(result.ok ? null : result.failure.code).toBe('decode_timeout')
    expect(childrenHere()).not.toContain(spare)
    expect(await readdir(own.folder)).toEqual([])
    expect((await own.samplesOf(WAV)).length).toBe(52_640)
  })

  test('may die while it waits: the next recording gets another', async () => {
    const { own, spare } = await alone()
    await using _ = own
    process.kill(spare, 'SIGKILL')
    await until(() => !childrenHere().includes(spare), PATIENCE)
    expect((await own.samplesOf(WAV)).length).toBe(52_640)
  })

  test('that is killed while it decodes says nothing for good against the recording', async () => {
    const { own, spare } = await alone()
    await using _ = own
    const decoding = own.decodeBytes(opusSilence(0.9))
    await until(() => isDecoding(own.folder), PATIENCE)
    process.kill(spare, 'SIGKILL')
    expect(await decoding).toMatchObject({ ok: false, failure: { code: 'decoder_crashed' } })
    expect(await readdir(own.folder)).toEqual([])
    expect((await own.samplesOf(WAV)).length).toBe(52_640)
  })

  test('that found nothing in a recording has the next one, and FFmpeg stays compiled', async () => {
    const { own, spare, before } = await alone()
    await using _ = own
    const m4a = await Bun.file(M4A).bytes()
    for (const damaged of [m4a.subarray(0, 15_000), m4a.slice().fill(0xff, 4096)])
      expect((await own.decodeBytes(damaged)).ok).toBe(false)
    expect((await own.samplesOf(M4A)).length).toBeGreaterThan(52_000)
    expect((await own.samplesOf(WAV)).length).toBe(52_640)
    expect(childrenHere().filter((pid) => !before.includes(pid))).toEqual([spare])
  })

  test('that broke off in the middle is not used again', async () => {
    const { own, spare } = await alone()
    await using _ = own
    const result = await own.decodeBytes(wavClaiming({ rate: 1 }))
    expect(result.ok ? null : result.failure.code).toBe('undecodable_audio')
    expect(childrenHere()).not.toContain(spare)
  })

  test('leaves it to the server when to stop: Ctrl-C reaches the whole group', async () => {
    const { own, spare } = await alone()
    await using _ = own
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(spare, signal)
    expect((await own.samplesOf(WAV)).length).toBe(52_640)
    expect(isRunning(spare)).toBe(true)
  })

  test('serves many at once, a few at a time', async () => {
    const { own } = await alone()
    await using _ = own
    const lengths = await Promise.all(
      Array.from({ length: 6 }, async () => (await own.samplesOf(WAV)).length),
    )
    expect(lengths).toEqual(Array.from({ length: 6 }, () => 52_640))
  })

  test('is told nothing of the environment', async () => {
    const { own, spare } = await alone()
    await using _ = own
    // The channel to its parent and what Bun sets for its own children.
    expect(environmentOf(spare).filter((name) => !/^(NODE|BUN)_/.test(name))).toEqual([])
  })

  test('refuses recordings after it was closed', async () => {
    const own = await createTestDecoder({ spare: false })
    await own.decoder.close()
    const kind = sniffAudio(await Bun.file(WAV).bytes())!
    const result = await own.decoder.decode({ path: WAV, kind, signal: new AbortController().signal })
    expect(result.ok ? null : result.failure.code).toBe('aborted')
    await own[Symbol.asyncDispose]()
  })
})
