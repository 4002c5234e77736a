// Exports the dictionary and imports entries from a file: previews the changes first, and asks whether an ambiguous first row is a header.

import { useEffect, useRef, useState } from 'preact/hooks'
import { DownloadLink } from '../parts/download-link.tsx'
import { FlagField, FormField } from '../parts/form-field.tsx'
import { figure } from '../parts/formats.ts'
import { attempt, offerUndo, textOfError } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import { filled, strings } from '../strings/strings.ts'
import {
  type ImportOutcome,
  type ImportPreview,
  importFile,
  isUnclearHeader,
  previewFile,
  restoreDictionary,
  wholeDictionary,
} from './import-entries.ts'

/** The state of the preview. */
type Look =
  | { state: 'none' | 'reading' }
  | { state: 'unclear'; firstRow: string }
  | { state: 'refused'; message: string }
  | { state: 'ready'; preview: ImportPreview }

const ImportForm = ({ reload }: { reload: () => Promise<void> }) => {
  const { dictionary: words } = strings.value
  const form = useRef<HTMLFormElement>(null)
  const [file, choose] = useState<File | null>(null)
  const [isWhole, setWhole] = useState(false)
  const [header, answer] = useState<boolean | null>(null)
  const [look, setLook] = useState<Look>({ state: 'none' })
  const how = { mode: isWhole ? 'replace' : 'merge', header } as const

  useEffect(() => {
    if (file === null) return
    let isCurrent = true
    setLook({ state: 'reading' })
    void lookAt(file, how).then((seen) => isCurrent && setLook(seen))
    return () => {
      isCurrent = false
    }
  }, [file, isWhole, header])

  const send = async (event: Event) => {
    event.preventDefault()
    if (file === null) return
    try {
      const before = await wholeDictionary()
      const done = await importFile({ body: file, name: file.name }, how)
      offerUndo(filled(words.outcome, countsOf(done)), async () => {
        await restoreDictionary(before)
        await reload()
      })
      form.current?.reset()
      choose(null)
      setLook({ state: 'none' })
    } catch (error) {
      setLook({ state: 'refused', message: textOfError(error) })
    }
    await reload()
  }
  return (
    <form ref={form} class="stack" onSubmit={(event) => void send(event)}>
      <FormField id="dictionary-file" label={words.import} help={words.importHelp}>
        <input
          id="dictionary-file"
          name="file"
          type="file"
          accept=".json,.csv,.tsv,.txt"
          required
          onChange={({ currentTarget }) => {
            answer(null)
            choose(currentTarget.files?.[0] ?? null)
          }}
        />
      </FormField>
      <FlagField id="dictionary-whole" label={words.replaceAll} value={isWhole} set={setWhole} />
      <p class="fault" role="alert">
        {look.state === 'refused' && look.message}
      </p>
      {look.state === 'unclear' && <HeaderQuestion firstRow={look.firstRow} answer={answer} />}
      {look.state === 'ready' && <Preview preview={look.preview} />}
      <div class="row">
        <button type="submit" disabled={look.state !== 'ready'}>
          {words.import}
        </button>
      </div>
    </form>
  )
}

async function lookAt(file: File, how: Parameters<typeof previewFile>[1]): Promise<Look> {
  try {
    return { state: 'ready', preview: await previewFile({ body: file, name: file.name }, how) }
  } catch (error) {
    if (!isUnclearHeader(error)) return { state: 'refused', message: textOfError(error) }
    const [firstRow = ''] = (await file.slice(0, 2000).text()).trim().split(/\r?\n/, 1)
    return { state: 'unclear', firstRow }
  }
}

type Question = { firstRow: string; answer: (header: boolean) => void }

const HeaderQuestion = ({ firstRow, answer }: Question) => {
  const { dictionary: words } = strings.value
  return (
    <div class="stack" role="alert">
      <p>{words.headerQuestion}</p>
      <p>
        <code dir="auto">{firstRow}</code>
      </p>
      <div class="row">
        <button type="button" onClick={() => answer(true)}>
          {words.headerYes}
        </button>
        <button type="button" onClick={() => answer(false)}>
          {words.headerNo}
        </button>
      </div>
    </div>
  )
}

const SHOWN = 20

const Preview = ({ preview }: { preview: ImportPreview }) => {
  const { dictionary: words } = strings.value
  const { changes, errors, removed } = preview
  return (
    <section class="stack" aria-label={words.preview}>
      <p role="status">{filled(words.previewCounts, { ...countsOf(preview), removed: figure(removed) })}</p>
      <ul class="plainlist">
        {changes.slice(0, SHOWN).map(({ change, entry: { type, word, replacement } }) => (
          <li key={word}>
            <span class="muted small">{`${words.change[change]} · ${words.types[type]} `}</span>
            <bdi class="word">{word}</bdi>
            {replacement !== null && (
              <>
                <span class="muted"> → </span>
                <bdi>{replacement}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
      <More of={changes.length} />
      {errors.length > 0 && (
        <ul class="faults" aria-label={words.leftOut}>
          {errors.slice(0, SHOWN).map(({ line, field, message }) => (
            <li key={`${line}${field}`}>{`${filled(words.line, { line })}: ${field} ${message}`}</li>
          ))}
        </ul>
      )}
      <More of={errors.length} />
    </section>
  )
}

const More = ({ of }: { of: number }) =>
  of > SHOWN ? (
    <p class="muted small">{filled(strings.value.dictionary.andMore, { n: figure(of - SHOWN) })}</p>
  ) : null

function countsOf({ imported, updated, skipped, errors }: ImportOutcome): Record<string, string> {
  const counts = { imported, updated, skipped, errors: errors.length }
  return Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, figure(n)]))
}

const FORMATS = ['json', 'csv', 'txt'] as const

type Files = { hasEntries: boolean; reload: () => Promise<void> }

export const DictionaryFiles = ({ hasEntries, reload }: Files) => {
  const { dictionary: words } = strings.value
  const clear = () =>
    attempt(async () => {
      const before = await wholeDictionary()
      await request('/dictionary?confirm=true', { method: 'DELETE' })
      offerUndo(words.cleared, async () => {
        await restoreDictionary(before)
        await reload()
      })
      await reload()
    })
  return (
    <section class="card stack" aria-labelledby="dictionary-files">
      <h2 id="dictionary-files">{words.files}</h2>
      {hasEntries && (
        <div class="row">
          <span>{words.export}</span>
          {FORMATS.map((format) => (
            <DownloadLink key={format} class="button" href={`/dictionary/export?format=${format}`}>
              {format.toUpperCase()}
            </DownloadLink>
          ))}
        </div>
      )}
      <ImportForm reload={reload} />
      {hasEntries && (
        <div class="row">
          <button type="button" class="danger" onClick={() => void clear()}>
            {words.clear}
          </button>
        </div>
      )}
    </section>
  )
}
