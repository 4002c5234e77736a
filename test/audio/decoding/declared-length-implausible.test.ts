// The highest bitrate of a format is plausible; ten times as many bytes are not.

import { expect, test } from 'bun:test'
import { isImplausiblyShort } from '../../../src/audio/decoding/declared-length.ts'

/** The layout of a file: a header, then frames of 20 ms. */
const FRAMES: [string, { headBytes: number; frameBytes: number }][] = [
  ['amr', { headBytes: 9, frameBytes: 61 }],
  ['gsm', { headBytes: 0, frameBytes: 33 }],
]

test.each(FRAMES)('%s', (format, { headBytes, frameBytes }) => {
  for (const frames of [10, 25, 1000]) {
    expect(isImplausiblyShort(format, headBytes + frames * frameBytes, frames * 320)).toBe(false)
    expect(isImplausiblyShort(format, headBytes + frames * frameBytes * 10, frames * 320)).toBe(true)
  }
})
