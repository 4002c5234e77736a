import { request } from '../server/request.ts'
import type { ChangedCapture } from '../server/wire.ts'

/** Each change makes a version of the capture. */
export const writeSegment = (captureId: string, segment: number, text: string): Promise<ChangedCapture> =>
  request(`/captures/${captureId}/segments/${segment}`, { method: 'PATCH', json: { text } })
