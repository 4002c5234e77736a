// Cancels a recording with Undo: it moves to the trash, and Undo restores it with its text.

import { offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import { strings } from '../strings/strings.ts'
import { cancelRecording } from './recorder.ts'
import { showCapture } from './shown-capture.ts'

export function cancelWithUndo(): void {
  const restore = cancelRecording()
  if (restore === null) return
  const { record } = strings.value
  offerUndo(record.cancelledRecording, async () => {
    const id = await restore()
    if (id === null) throw new Error(record.notTakenBack)
    await request(`/captures/${id}/restore`, { method: 'POST' })
    showCapture(id)
  })
}
