import { expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { SPEECH_FOLDER } from '../decoded.ts'
import { decodeInProcess } from './in-process.ts'

const WHOLE_SAMPLES = 52_640
const NAMES = ['wav-s16.wav', 'au.au', 'mp3-cbr64.mp3', 'ogg-opus.opus', 'ogg-vorbis.ogg', 'flac-48k.flac']
NAMES.push('webm-opus.webm', 'webm-opus-live.webm', 'mka-flac.mka', 'mkv-vorbis.mkv')

for (const name of NAMES) {
  test(`decodes what ${name} contains when truncated at every tenth, without the optional decoder`, async () => {
    // Some decoders report the incomplete last frame on the console.
    using _quiet = spyOn(console, 'error').mockImplementation(() => {})
    const whole = await Bun.file(join(SPEECH_FOLDER, 'formats', name)).bytes()
    for (let tenth = 1; tenth < 10; tenth++) {
      const decoded = await decodeInProcess(whole.slice(0, Math.floor((whole.length * tenth) / 10)))
      const share = typeof decoded === 'string' ? 0 : decoded.length / WHOLE_SAMPLES
      if (typeof decoded === 'string') expect(decoded).toBe('damaged')
      // An Ogg page holds up to a second, headers contain no audio, and bitrates vary.
      expect(share).toBeGreaterThan(tenth / 10 - 0.36)
      expect(share).toBeLessThan(tenth / 10 + 0.15)
    }
  })
}
