import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SPEECH_FOLDER } from '../decoded.ts'
import { decodeInProcess } from './in-process.ts'

for (const name of ['ogg-opus.opus', 'ogg-vorbis.ogg', 'webm-opus-live.webm', 'mp3-cbr64.mp3']) {
  test(`two recordings in one file, ${name} twice, are both heard`, async () => {
    const once = await Bun.file(join(SPEECH_FOLDER, 'formats', name)).bytes()
    const heard = await decodeInProcess(new Uint8Array(Buffer.concat([once, once])))
    // A join costs at most what an encoder adds at either end.
    expect(Math.abs(heard.length - 2 * 52_640)).toBeLessThan(16_000 * 0.16)
  })
}
