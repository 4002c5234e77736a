// The dictionary as files: taking it along, bringing entries, and emptying it, which Undo takes back.
// What a line of a file means, the server knows.

import { useRef, useState } from 'preact/hooks'
import { attempt } from '../parts/attempt.ts'
import { DownloadLink } from '../parts/download-link.tsx'
import { figure } from '../parts/figures.ts'
import { FlagField, FormField } from '../parts/form-field.tsx'
import { sentenceOf } from '../parts/sentence.ts'
import { offerUndo } from '../parts/toasts.tsx'
import { ask } from '../server/ask.ts'
import { filled, strings } from '../strings/strings.ts'
import { type ImportOutcome, importFile, wholeDictionary } from './import-entries.ts'

const FORMATS = ['json', 'csv', 'txt'] as const

export const DictionaryFiles = ({ again }: { again: () => Promise<void> }) => {
  const { dictionary: words } = strings.value
  const form = useRef<HTMLFormElement>(null)
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isWhole, setWhole] = useState(false)

  const bringBack = (before: string) => async () => {
    await importFile(before, 'before.json', 'replace')
    await again()
  }
  const send = async (event: Event) => {
    event.preventDefault()
    const file = new FormData(form.current!).get('file')
    if (!(file instanceof File)) return
    setFault(null)
    setOutcome(null)
    try {
      const before = await wholeDictionary()
      const done = await importFile(file, file.name, isWhole ? 'replace' : 'merge')
      setOutcome(done)
      form.current?.reset()
      offerUndo(outcomeWords(done), bringBack(before))
    } catch (error) {
      setFault(sentenceOf(error))
    }
    await again()
  }
  const clear = () =>
    attempt(async () => {
      const before = await wholeDictionary()
      await ask('/dictionary?confirm=true', { method: 'DELETE' })
      offerUndo(words.cleared, bringBack(before))
      await again()
    })

  return (
    <section class="card" aria-labelledby="dictionary-files">
      <h2 id="dictionary-files">{words.files}</h2>
      <div class="row">
        <span>{words.export}</span>
        {FORMATS.map((format) => (
          <DownloadLink key={format} class="button" href={`/dictionary/export?format=${format}`}>
            {format.toUpperCase()}
          </DownloadLink>
        ))}
      </div>
      <form ref={form} class="stack" onSubmit={(event) => void send(event)}>
        <FormField id="dictionary-file" label={words.import} help={words.importHelp}>
          <input id="dictionary-file" name="file" type="file" accept=".json,.csv,.txt" required />
        </FormField>
        <FlagField id="dictionary-whole" label={words.replaceAll} value={isWhole} set={setWhole} />
        <p class="fault" role="alert">
          {fault}
        </p>
        {outcome !== null && outcome.errors.length > 0 && (
          <ul class="faults" aria-label={words.leftOut}>
            {outcome.errors.slice(0, 20).map(({ line, field, message }) => (
              <li key={`${line}${field}`}>{`${filled(words.line, { line })}: ${field} ${message}`}</li>
            ))}
          </ul>
        )}
        <div class="row">
          <button type="submit">{words.import}</button>
          <button type="button" class="danger" onClick={() => void clear()}>
            {words.clear}
          </button>
        </div>
      </form>
    </section>
  )
}

function outcomeWords({ imported, updated, skipped, errors }: ImportOutcome): string {
  const counts = { imported, updated, skipped, errors: errors.length }
  const shown = Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, figure(n)]))
  return filled(strings.value.dictionary.outcome, shown)
}
