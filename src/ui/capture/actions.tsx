import { goTo } from '../address.ts'
import { copyText, restoreCaptures, setStarred, trashCaptures } from '../captures/capture-actions.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { note, noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { CaptureState } from './capture-state.ts'
import { type Shown, wordsShown } from './shown-text.tsx'

type Props = { capture: DetailedCapture; state: CaptureState; shown: Shown }

export const Actions = ({ capture, state, shown }: Props) => {
  const { id, starred } = capture
  const { capture: text, captures } = strings.value
  const isTrash = capture.trashed_at !== null

  const star = async (): Promise<void> => {
    state.capture.value = { ...capture, starred: !starred }
    if (!(await setStarred(id, !starred))) await state.load()
  }
  const move = async (): Promise<void> => {
    await (isTrash ? restoreCaptures([id]) : trashCaptures([id]))
    await state.load()
  }
  return (
    <div class="row actions">
      <button
        type="button"
        disabled={wordsShown(shown, capture) === ''}
        onClick={() => void copyText(wordsShown(shown, capture))}
      >
        <Icon name="copy" />
        {captures.copy}
      </button>
      <button type="button" aria-pressed={starred} onClick={() => void star()}>
        <Icon name="star" isFull={starred} />
        {captures.star}
      </button>
      <button type="button" onClick={() => void move()}>
        <Icon name={isTrash ? 'restore' : 'trash'} />
        {isTrash ? captures.restore : captures.delete}
      </button>
      {isTrash && <DeleteForGood id={id} />}
      {isTrash && <span class="muted">{text.inTrash}</span>}
    </div>
  )
}

const DeleteForGood = ({ id }: { id: string }) => {
  const { capture: text, captures } = strings.value
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
    <ConfirmButton
      label={captures.deleteForGood}
      title={text.deleteQuestion}
      help={text.deleteHelp}
      keep={text.cancel}
      act={() => void remove()}
    />
  )
}
