// Exports the dictionary, or clears it with Undo.

import { attempt } from '../parts/attempt.ts'
import { DownloadLink } from '../parts/download-link.tsx'
import { offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import { strings } from '../strings/strings.ts'
import { restoreDictionary, wholeDictionary } from './import-entries.ts'
import { ImportForm } from './import-form.tsx'

const FORMATS = ['json', 'csv', 'txt'] as const

export const DictionaryFiles = ({ reload }: { reload: () => Promise<void> }) => {
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
      <ImportForm reload={reload} />
      <div class="row">
        <button type="button" class="danger" onClick={() => void clear()}>
          {words.clear}
        </button>
      </div>
    </section>
  )
}
