// Documented statuses that the contract test does not reach, each with the test that does. An obsolete entry fails the
// contract test.

import { canTakeAway } from './outage-tests.ts'

export type NotExercised = { pairs: RegExp; why: string }

export const NOT_EXERCISED: NotExercised[] = [
  {
    pairs: / 500$/,
    why: 'would be a fault of the server; test/http/kernel/problem.test.ts has a route that throws',
  },
  {
    pairs: /^getCapture(Audio|Waveform) 413$/,
    why: 'needs a recording longer than twelve hours; test/audio/decode.test.ts has one against a lower limit',
  },
  {
    pairs: /^transcribe(Live (101|429|507)|OpenAiRealtime (101|429))$/,
    why: 'needs a WebSocket, and ten of them; test/api/live.test.ts and realtime.test.ts have both',
  },
  {
    pairs: /^(updateCapture|correctSegment) 412$/,
    why: 'needs an ETag that is out of date; test/http/captures/captures-segments.test.ts sends one',
  },
  {
    pairs: /^sendMcpMessage (202|404)$/,
    why: 'needs a session, or one that has ended; test/api/mcp.test.ts has both',
  },
  // `npm run torture -- outages` reaches these too, on Linux with a Postgres, as a user who may mount.
  ...(canTakeAway
    ? []
    : [
        {
          pairs: / 507$/,
          why: 'needs a disk of its own to fill, which `npm run torture -- outages` has; test/http/transcribe/transcribe.test.ts has the answer, test/models/downloads.test.ts a disk without room',
        },
        {
          pairs: / 503$/,
          why: 'needs a database to take away, which `npm run torture -- outages` does; test/db/external-outage.test.ts does it with TEST_DATABASE_URL',
        },
      ]),
]
