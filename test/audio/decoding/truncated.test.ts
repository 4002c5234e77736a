import { expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { SPEECH_FOLDER } from '../decoded.ts'
import { decodeInProcess } from './in-process.ts'

const WHOLE_SAMPLES = 52_640
const NAMES = ['wav-s16.wav', 'au.au', 'mp3-cbr64.mp3', 'ogg-opus.opus', 'ogg-vorbis.ogg', 'flac-48k.flac']
NAMES.push('webm-opus.webm', 'webm-opus-live.webm', 'mka-flac.mka', 'mkv-vorbis.mkv')

for (const name of NAMES) {
  test(`${name} cut off at every tenth gives what it holds, without the optional decoder`, async () => {
    // Some decoders say on the console that the last frame is incomplete.
    using _quiet = spyOn(console, 'error').mockImplementation(() => {})
    const whole = await Bun.file(join(SPEECH_FOLDER, 'formats', name)).bytes()
    for (let tenth = 1; tenth < 10; tenth++) {
      const heard = await decodeInProcess(whole.slice(0, Math.floor((whole.length * tenth) / 10)))
      const share = typeof heard === 'string' ? 0 : heard.length / WHOLE_SAMPLES
      if (typeof heard === 'string') expect(heard).toBe('damaged')
      // A page of Ogg holds up to a second, headers are not sound, and bitrates vary.
      expect(share).toBeGreaterThan(tenth / 10 - 0.36)
      expect(share).toBeLessThan(tenth / 10 + 0.15)
    }
  })
}
