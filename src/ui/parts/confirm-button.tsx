// A button for irreversible actions: asks for confirmation, and Enter alone cancels. Reversible actions run at once and
// offer Undo in a toast.

import { useRef } from 'preact/hooks'

type Given = {
  label: string
  /** accessible name, if the label alone does not identify the item */
  name?: string
  title?: string
  /** what will be lost */
  help: string
  keep: string
  isDisabled?: boolean
  act: () => void
}

export const ConfirmButton = ({
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
