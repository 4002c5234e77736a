// Uploads a model file from the user's computer. The server validates it.

import { useRef, useState } from 'preact/hooks'
import { percentage } from '../parts/formats.ts'
import { note, textOfError } from '../parts/toasts.tsx'
import { sendForm } from '../server/send-form.ts'
import { filled, strings } from '../strings/strings.ts'

export const UploadModel = ({ reload }: { reload: () => Promise<void> }) => {
  const { models: words } = strings.value
  const form = useRef<HTMLFormElement>(null)
  const [sending, setSending] = useState<{ fraction: number; stop: () => void } | null>(null)
  const [fault, setFault] = useState<string | null>(null)

  const send = async (event: Event) => {
    event.preventDefault()
    const stopping = new AbortController()
    const progress = (fraction: number) => setSending({ fraction, stop: () => stopping.abort() })
    progress(0)
    setFault(null)
    try {
      const { file, name } = Object.fromEntries(new FormData(form.current!))
      const fields = new FormData()
      // The server writes the file as it streams in, so the other fields must precede it.
      if (typeof name === 'string' && name.trim() !== '') fields.set('name', name.trim())
      fields.set('file', file!)
      const imported = await sendForm<{ model_name: string }>('/models/import', fields, {
        onProgress: progress,
        signal: stopping.signal,
      })
      form.current?.reset()
      note(filled(words.imported, { name: imported.model_name }))
      await reload()
    } catch (error) {
      if (!stopping.signal.aborted) setFault(textOfError(error))
    }
    setSending(null)
  }

  return (
    <section aria-labelledby="models-bring">
      <h2 id="models-bring">{words.bring}</h2>
      <p class="muted">{words.bringHelp}</p>
      <form ref={form} class="card stack" onSubmit={(event) => void send(event)}>
        <div class="field">
          <label for="models-file">{words.file}</label>
          <input
            id="models-file"
            name="file"
            type="file"
            accept=".bin"
            required
            aria-describedby="models-file-fault"
          />
          <p id="models-file-fault" class="fault" role="alert">
            {fault}
          </p>
        </div>
        <div class="field">
          <label for="models-name">{words.name}</label>
          <input
            id="models-name"
            name="name"
            pattern="[a-z0-9][a-z0-9._\-]*"
            maxLength={100}
            spellcheck={false}
            autocomplete="off"
            aria-describedby="models-name-help"
          />
          <p id="models-name-help" class="muted small">
            {words.nameHelp}
          </p>
        </div>
        {sending === null ? (
          <div>
            <button type="submit" class="primary">
              {words.import}
            </button>
          </div>
        ) : (
          <div class="stack">
            <progress aria-label={words.import} max={1} value={sending.fraction} />
            <div class="row">
              <span class="muted">
                {filled(words.importing, { percent: percentage(Math.floor(sending.fraction * 100)) })}
              </span>
              <button type="button" onClick={sending.stop}>
                {words.cancel}
              </button>
            </div>
          </div>
        )}
      </form>
    </section>
  )
}
