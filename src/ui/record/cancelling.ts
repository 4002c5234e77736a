// Cancels a recording, which can be taken back: it goes into the trash, and comes out of it with its text.
// What stops is recorder.ts's.

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
