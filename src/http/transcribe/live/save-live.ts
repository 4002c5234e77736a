// A live stream as a capture: on the disk while it arrives, and kept however the stream ends.
// The file is recording/live-recording.ts, what keeping means src/captures.

import type { Captures } from '../../../captures/captures.ts'
import type { CaptureFields } from '../../../captures/create-capture.ts'
import type { Arrival } from '../../../captures/inbox.ts'
import type { Log } from '../../../lib/log.ts'
import { type Result, succeed } from '../../../lib/result.ts'
import { type Failure, problemOf } from '../../contract/failure.ts'
import type { Problem } from '../../contract/problem.ts'
import { problemOfCut } from '../../recording/cut.ts'
import { type LiveRecording, recordLive } from '../../recording/live-recording.ts'
import { internalError } from '../../server/errors.ts'

export type SaveLiveDeps = {
  captures: Pick<Captures, 'checkRoom' | 'create' | 'noteArrival'>
  folders: { inbox: string }
  config: { maxUploadBytes: number }
  log: Log
}

export type LiveSave = Pick<LiveRecording, 'push'> & {
  /** the id of the capture; null where no audio came. `interrupted`: nobody said that this was all */
  finish(how: { interrupted: boolean }): Promise<Result<string | null, Failure>>
}

/** `rate`: of samples that are kept as they are; null where what comes is a file already */
type Kept = { rate: number | null; fields: CaptureFields; onFailure: (problem: Problem) => void }

export function saveLive({ captures, folders, config, log }: SaveLiveDeps, kept: Kept): LiveSave {
  const { rate, fields, onFailure } = kept
  let arrival: Arrival | undefined
  const arrive = () => {
    arrival = captures.noteArrival({ fields: { ...fields, recordedAt: new Date() }, isDiscarded: false })
    return arrival
  }
  const recording = recordLive({
    folder: folders.inbox,
    id: () => arrive().id,
    wavRate: rate,
    maxBytes: config.maxUploadBytes,
    onCut(cut, isKept) {
      if (isKept) onFailure(problemOfCut(cut, log))
      else onFailure('thrown' in cut ? internalError(cut.thrown, log) : problemOf(cut))
    },
  })
  return {
    push: recording.push,
    async finish({ interrupted }) {
      const incoming = await recording.end()
      if (incoming === null) return succeed(null)
      if (!incoming.ok) {
        await arrival?.forget()
        return incoming
      }
      const created = await captures.create({
        incoming: incoming.value,
        fields: { ...fields, recordedAt: arrival?.madeAt },
        arrival,
        interrupted: interrupted || incoming.value.interrupted,
        isOnlyCopy: true,
      })
      return created.ok ? succeed(created.value.capture.id) : created
    },
  }
}
