// Uses samples in memory in place of a decoded recording.

import { describe, expect, test } from 'bun:test'
import type { DecodedAudio } from '../../src/audio/decoded-audio-cache.ts'
import { sampleAtByte, wavBytesOf, wavPartStream } from '../../src/audio/decoded-wav.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import { decodeInProcess } from './decoding/in-process.ts'

const wave = (length: number) => Float32Array.from({ length }, (_, i) => Math.sin(i / 10))

function soundOf(samples: Float32Array) {
  let left = 0
  const sound: DecodedAudio = {
    reach: async () => succeed(undefined),
    count: async () => succeed(samples.length),
    read: async (from, to) => samples.slice(from, to),
    leave: () => void left++,
  }
  return { sound, timesLeft: () => left }
}

const wavOf = (samples: Float32Array, startByte = 0, endByte = wavBytesOf(samples.length)) => {
  const { sound } = soundOf(samples)
  return new Response(wavPartStream(sound, { samples: samples.length, startByte, endByte })).bytes()
}

for (const length of [0, 1, 32_768, 100_001]) {
  test(`a WAV file has the announced length: ${length} samples`, async () => {
    const samples = wave(length)
    const wav = await wavOf(samples)
    expect(wav.length).toBe(wavBytesOf(length))
    const decoded = await decodeInProcess(wav)
    if (length === 0) return expect(decoded).toBe('damaged')
    const differences = samples.map((sample, i) => Math.abs(sample - (decoded[i] as number)))
    expect(differences.reduce((most, value) => Math.max(most, value))).toBeLessThan(1 / 16_000)
  })
}

describe('a part', () => {
  const samples = wave(70_001)
  const size = wavBytesOf(samples.length)
  const parts = [
    [0, 1],
    [0, 44],
    [10, 45],
    [43, 44],
    [44, 45],
    [45, 46],
    [45, 65_583],
    [65_580, 65_581],
    [65_579, 131_200],
    [size - 1, size],
    [0, size],
  ] as const
  for (const [start, end] of parts) {
    test(`from byte ${start} to ${end} equals that range of the whole file`, async () => {
      expect(await wavOf(samples, start, end)).toEqual((await wavOf(samples)).slice(start, end))
    })
  }
})

test('a byte of the header maps to the first sample, and every other byte to its own', () => {
  expect([0, 43, 44, 45, 46, 47].map(sampleAtByte)).toEqual([0, 0, 0, 0, 1, 1])
})

test('the stream leaves the recording at its end and when the reader cancels', async () => {
  const { sound, timesLeft } = soundOf(wave(100_000))
  const part = { samples: 100_000, startByte: 0, endByte: wavBytesOf(100_000) }
  await new Response(wavPartStream(sound, part)).bytes()
  expect(timesLeft()).toBe(1)
  const reader = wavPartStream(sound, part).getReader()
  expect((await reader.read()).value?.length).toBe(44)
  await reader.cancel()
  expect(timesLeft()).toBe(2)
})

test('the stream fails instead of ending early if the recording is too short or the decoder fails', async () => {
  const { sound, timesLeft } = soundOf(wave(1000))
  const part = { samples: 1001, startByte: 0, endByte: wavBytesOf(1001) }
  await expect(new Response(wavPartStream(sound, part)).bytes()).rejects.toThrow('shorter')
  const failing = { ...sound, reach: async () => fail({ code: 'disk_full' as const, message: 'full' }) }
  await expect(new Response(wavPartStream(failing, part)).bytes()).rejects.toThrow('full')
  await new Response(wavPartStream(sound, part)).bytes().catch(() => {})
  expect(timesLeft()).toBeGreaterThan(0)
})
