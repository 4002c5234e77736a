// Cancels a recording with Undo: it moves to the trash, and Undo restores it with its text.

import { offerUndo } from '../parts/toasts.tsx'
import { ask } from '../server/ask.ts'
import { strings } from '../strings/strings.ts'
import { showKept } from './kept-shown.ts'
import { cancelRecording } from './recorder.ts'

export function cancelWithUndo(): void {
  const kept = cancelRecording()
  if (kept === null) return
  const { record } = strings.value
  offerUndo(record.cancelledRecording, async () => {
    const id = await kept()
    if (id === null) throw new Error(record.notTakenBack)
    await ask(`/captures/${id}/restore`, { method: 'POST' })
    showKept(id)
  })
}
