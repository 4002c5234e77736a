// Exports the dictionary, or clears it with Undo.

import { attempt } from '../parts/attempt.ts'
import { DownloadLink } from '../parts/download-link.tsx'
import { offerUndo } from '../parts/toasts.tsx'
import { ask } from '../server/ask.ts'
import { strings } from '../strings/strings.ts'
import { bringBack, wholeDictionary } from './import-entries.ts'
import { ImportForm } from './import-form.tsx'

const FORMATS = ['json', 'csv', 'txt'] as const

export const DictionaryFiles = ({ again }: { again: () => Promise<void> }) => {
  const { dictionary: words } = strings.value
  const clear = () =>
    attempt(async () => {
      const before = await wholeDictionary()
      await ask('/dictionary?confirm=true', { method: 'DELETE' })
      offerUndo(words.cleared, async () => {
        await bringBack(before)
        await again()
      })
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
      <ImportForm again={again} />
      <div class="row">
        <button type="button" class="danger" onClick={() => void clear()}>
          {words.clear}
        </button>
      </div>
    </section>
  )
}
