// A dialog that holds one form: its title, what no field is at fault for, and the buttons that keep or leave it.
// Its fields are form-field.tsx's; what is sent and what is said then, each form's own.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type Given = {
  title: string
  /** what the server says against all of it */
  fault: string | null
  save: string
  cancel: string
  /** @returns whether it was kept, so that nothing is left to be changed */
  send: () => Promise<boolean>
  /** after it was closed, however that was */
  close: () => void
  children: ComponentChildren
}

/** Opens itself. */
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
