import { useState } from 'preact/hooks'
import { useDebounced } from '../parts/form-field.tsx'
import { Heading, Pager } from '../parts/layout.tsx'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { request } from '../server/request.ts'
import type { ListOf, ShownEntry } from '../server/wire.ts'
import { counted, strings } from '../strings/strings.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { EntryRow } from './entry-row.tsx'
import { DictionaryFiles } from './import-form.tsx'
import { TryDictionary } from './try-dictionary.tsx'

const PAGE_SIZE = 50
const TYPES = ['term', 'replacement', 'snippet', 'omit'] as const

export const DictionaryView = () => {
  const { views, dictionary: words } = strings.value
  const [sought, seek] = useState('')
  const [type, setType] = useState('')
  const [offset, turn] = useState(0)
  const [edited, edit] = useState<ShownEntry | 'new' | null>(null)
  const q = useDebounced(sought)
  const list = useLoad(
    (signal) => request<ListOf<ShownEntry>>(`/dictionary?${queryOf({ q, type, offset })}`, { signal }),
    [q, type, offset],
  )
  const isNarrowed = q !== '' || type !== ''
  const narrow = (change: () => void) => {
    turn(0)
    change()
  }
  return (
    <>
      <Heading text={views.dictionary} />
      <div class="dictionary">
        <div class="row">
          <input
            type="search"
            class="wide"
            aria-label={words.search}
            placeholder={words.search}
            maxLength={500}
            value={sought}
            onInput={({ currentTarget: { value } }) => narrow(() => seek(value))}
          />
          <select
            aria-label={words.type}
            value={type}
            onChange={({ currentTarget: { value } }) => narrow(() => setType(value))}
          >
            <option value="">{words.allTypes}</option>
            {TYPES.map((one) => (
              <option key={one} value={one}>
                {words.types[one]}
              </option>
            ))}
          </select>
          <button type="button" class="primary" onClick={() => edit('new')}>
            {words.add}
          </button>
        </div>
        <WhenLoaded of={list}>
          {({ items, total }) => (
            <section aria-label={words.entries}>
              <p class="muted" role="status">
                {counted(total, words.count)}
              </p>
              {total === 0 && <Nothing isNarrowed={isNarrowed} />}
              {items.length > 0 && (
                <ul class="plainlist lines">
                  {items.map((entry) => (
                    <EntryRow key={entry.id} entry={entry} edit={() => edit(entry)} reload={list.reload} />
                  ))}
                </ul>
              )}
              <Pager offset={offset} size={PAGE_SIZE} total={total} turn={turn} />
            </section>
          )}
        </WhenLoaded>
        <TryDictionary changed={list.value} />
        <DictionaryFiles
          hasEntries={list.value !== null && (list.value.total > 0 || isNarrowed)}
          reload={list.reload}
        />
      </div>
      {edited !== null && (
        <EntryDialog
          entry={edited === 'new' ? null : edited}
          word={edited === 'new' ? sought : ''}
          close={() => edit(null)}
          reload={list.reload}
        />
      )}
    </>
  )
}

function queryOf({ q, type, offset }: { q: string; type: string; offset: number }): string {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), offset: String(offset) })
  if (q.trim() !== '') query.set('q', q)
  if (type !== '') query.set('type', type)
  return query.toString()
}

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => {
  const { dictionary: words } = strings.value
  return <p class="card">{isNarrowed ? words.nothingFound : words.empty}</p>
}
