// Opus that comes in pieces gives what the file decoder makes of the same bytes; what is no recorder's work ends it.

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { SPEECH_FOLDER } from '../decoded.ts'
import { decodeInProcess } from '../decoding/in-process.ts'
import { piecesOf, streamed } from './streamed.ts'

const formatFile = (name: string) => Bun.file(join(SPEECH_FOLDER, 'formats', name)).bytes()
const NAMES = ['webm-opus-live.webm', 'webm-opus.webm', 'ogg-opus.opus']

describe.each(NAMES)('%s', (name) => {
  test.each([1, 7, 1000, 65_536])('in pieces of %d bytes sounds as the file does', async (size) => {
    const bytes = await formatFile(name)
    const { samples, code } = await streamed(piecesOf(bytes, size))
    expect(code).toBe(null)
    expect(samples.length).toBeGreaterThan(52_000)
    expect(samples).toEqual((await decodeInProcess(bytes)) as Float32Array)
  })
})
