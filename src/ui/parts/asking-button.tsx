// A button for what nothing brings back: it asks first, and whoever only presses Enter keeps what there is.
// What can be undone is done at once instead, and offered back by toasts.tsx.

import { useRef } from 'preact/hooks'

type Given = {
  label: string
  /** what a screen reader says where the label alone does not tell which of many is meant */
  name?: string
  title?: string
  /** what will be gone */
  help: string
  keep: string
  isDisabled?: boolean
  act: () => void
}

export const AskingButton = ({
  label,
  name,
  title = name ?? label,
  help,
  keep,
  isDisabled = false,
  act,
}: Given) => {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button
        type="button"
        class="danger"
        aria-label={name}
        disabled={isDisabled}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </button>
      <dialog ref={dialog} aria-label={title}>
        <h2>{title}</h2>
        <p>{help}</p>
        <form method="dialog" class="row">
          <button type="submit">{keep}</button>
          <button type="submit" class="danger" onClick={act}>
            {label}
          </button>
        </form>
      </dialog>
    </>
  )
}
