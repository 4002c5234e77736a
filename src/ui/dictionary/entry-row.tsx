import { figure } from '../parts/formats.ts'
import { Icon } from '../parts/icons.tsx'
import { nameOfLanguage } from '../parts/spoken-languages.ts'
import { attempt, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ShownEntry } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { importEntries } from './import-entries.ts'

type Row = { entry: ShownEntry; edit: () => void; reload: () => Promise<void> }

export const EntryRow = ({ entry, edit, reload }: Row) => {
  const { dictionary: words } = strings.value
  const { id, word, enabled } = entry
  const change = async (json: object) => {
    await attempt(() => request(`/dictionary/${id}`, { method: 'PATCH', json }))
    await reload()
  }
  const remove = async () => {
    await attempt(async () => {
      // The list may be out of date, so Undo restores the current version.
      const before = await request<ShownEntry>(`/dictionary/${id}`)
      await request(`/dictionary/${id}`, { method: 'DELETE' })
      offerUndo(filled(words.deleted, { word }), async () => {
        // The import keeps its usage count and its date.
        await importEntries([before])
        await reload()
      })
    })
    await reload()
  }
  return (
    <li class={enabled ? undefined : 'off'}>
      <div class="what">
        <div>
          <bdi class="word">{word}</bdi>
          {entry.replacement !== null && (
            <>
              <span class="muted"> → </span>
              <bdi>{entry.replacement}</bdi>
            </>
          )}
        </div>
        <div class="muted small">{factsOf(entry).join(' · ')}</div>
      </div>
      <div class="row">
        <label class="choice small">
          <input
            type="checkbox"
            class="switch"
            checked={enabled}
            aria-label={`${words.enabled}: ${word}`}
            onChange={({ currentTarget }) => void change({ enabled: currentTarget.checked })}
          />
        </label>
        <button
          type="button"
          class="plain icon"
          aria-label={filled(words.editNamed, { word })}
          onClick={edit}
        >
          <Icon name="edit" />
        </button>
        <button
          type="button"
          class="plain icon"
          aria-label={filled(words.deleteNamed, { word })}
          onClick={() => void remove()}
        >
          <Icon name="trash" />
        </button>
      </div>
    </li>
  )
}

function factsOf({ type, aliases, language, is_regex, usage_count }: ShownEntry): string[] {
  const { dictionary: words } = strings.value
  return [
    words.types[type],
    ...(is_regex ? [words.pattern] : []),
    ...(language === null ? [] : [nameOfLanguage(language)]),
    ...(aliases.length === 0 ? [] : [`${words.also}: ${aliases.join(', ')}`]),
    ...(usage_count === 0 ? [] : [filled(words.used, { n: figure(usage_count) })]),
  ]
}
