// What the document lists and the contract test does not reach, line by line, with the test that does.
// A line that no longer applies fails the contract test.

import { canTakeAway } from './outage-tests.ts'

export type NotExercised = { pairs: RegExp; why: string }

export const NOT_EXERCISED: NotExercised[] = [
  {
    pairs: / 500$/,
    why: 'would be a fault of the server; test/http/problems.test.ts has a route that throws',
  },
  {
    pairs: /^getCapture(Audio|Waveform) 413$/,
    why: 'needs a recording longer than twelve hours; test/audio/decode.test.ts has one against a lower limit',
  },
]
