// What the document lists and the contract test does not reach, line by line, with the test that does.
// A line that no longer applies fails the contract test.

export const NOT_EXERCISED: { pairs: RegExp; why: string }[] = [
  {
    pairs: / 500$/,
    why: 'would be a fault of the server; test/http/problems.test.ts has a route that throws',
  },
  {
    pairs: /^(?!createCapture|retranscribe|transcribe)\w+ 503$/,
    why: 'needs a database that does not answer; test/db/outage.test.ts takes one away',
  },
  {
    pairs: /^getCaptureAudio 413$/,
    why: 'needs a recording longer than twelve hours; test/audio/decode.test.ts has one against a lower limit',
  },
  { pairs: / 507$/, why: 'needs a full disk; test/audio/incoming.test.ts fills one' },
]
