// Why a recording is not stored, or not yet.

import { fail } from '../lib/result.ts'

export type RoomFailure = { code: 'queue_full' | 'disk_full'; message: string }
export type IntakeFailure = RoomFailure | { code: 'storage_unavailable'; message: string }

export const diskFull = fail<RoomFailure>({
  code: 'disk_full',
  message: 'The disk is almost full, so the recording was not accepted. Free some space and send it again.',
})

const waitingFor = (code: IntakeFailure['code'], problem: string, until: string) =>
  fail<IntakeFailure>({
    code,
    message: `${problem}. The recording is stored in the inbox and becomes a capture as soon as ${until}; do not send it again.`,
  })
export const waitingForRoom = waitingFor('disk_full', 'The disk is full', 'there is enough space')
export const waitingForStorage = waitingFor(
  'storage_unavailable',
  'The server cannot write to its data folder',
  'it can be stored',
)
