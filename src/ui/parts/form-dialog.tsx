// A dialog with one form: title, general errors, and the save and cancel buttons.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type Given = {
  title: string
  /** the server's error about the form as a whole */
  fault: string | null
  save: string
  cancel: string
  /** @returns whether it was saved, which closes the dialog */
  send: () => Promise<boolean>
  /** called after the dialog has closed, for any reason */
  close: () => void
  children: ComponentChildren
}

/** Opens itself on mount. */
export const FormDialog = ({ title, fault, save, cancel, send, close, children }: Given) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await send()) dialog.current?.close()
  }
  return (
    <dialog ref={dialog} class="form" aria-label={title} onClose={close}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <h2>{title}</h2>
        {children}
        <p class="fault" role="alert">
          {fault}
        </p>
        <div class="row">
          <button type="submit" class="primary">
            {save}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}
