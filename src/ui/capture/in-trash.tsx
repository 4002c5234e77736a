// Shown for a capture in the trash: it is restored, or deleted for good after a confirmation.

import { goTo } from '../address.ts'
import { restoreCaptures } from '../captures/capture-actions.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { note, noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { CaptureState } from './capture-state.ts'

type Props = { capture: DetailedCapture; state: CaptureState }

export const InTrash = ({ capture: { id, trashed_at: trashedAt }, state }: Props) => {
  const { capture: text, captures } = strings.value
  if (trashedAt === null) return null
  const restore = async (): Promise<void> => {
    await restoreCaptures([id])
    await state.load()
  }
  const remove = async (): Promise<void> => {
    try {
      await request(`/captures/${id}`, { method: 'DELETE' })
      note(text.deleted)
      goTo(['captures'])
    } catch (error) {
      noteFault(error)
    }
  }
  return (
    <div class="card row intrash">
      <span class="wide">{text.inTrash}</span>
      <button type="button" onClick={() => void restore()}>
        {captures.restore}
      </button>
      <ConfirmButton
        label={captures.deleteForGood}
        title={text.deleteQuestion}
        help={text.deleteHelp}
        keep={text.cancel}
        act={() => void remove()}
      />
    </div>
  )
}
