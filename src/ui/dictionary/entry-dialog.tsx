// The form of a new or existing entry, with a preview before saving.

import { useState } from 'preact/hooks'
import { FormDialog } from '../parts/form-dialog.tsx'
import { FlagField, LineField, PickField, useFieldErrors } from '../parts/form-field.tsx'
import { languagesByName } from '../parts/spoken-languages.ts'
import { note } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ShownEntry } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { draftOf, isRewriting, NEW_DRAFT, sentEntry, Tried } from './try-dictionary.tsx'

type Edited = {
  entry: ShownEntry | null
  /** initial values of a new entry */
  word: string
  close: () => void
  reload: () => Promise<void>
}

const TYPES = ['term', 'replacement', 'snippet', 'omit'] as const

export const EntryDialog = ({ entry, word, close, reload }: Edited) => {
  const { dictionary: words } = strings.value
  const [draft, setDraft] = useState(entry === null ? { ...NEW_DRAFT, word } : draftOf(entry))
  const faults = useFieldErrors(['word', 'replacement', 'aliases', 'priority', 'type', 'language'])
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change })
  const send = async () => {
    const json = sentEntry(draft)
    const isSaved = await faults.trying(() =>
      entry === null
        ? request('/dictionary', { method: 'POST', json })
        : request(`/dictionary/${entry.id}`, { method: 'PATCH', json }),
    )
    if (!isSaved) return false
    note(filled(words.kept, { word: draft.word }))
    void reload()
    return true
  }
  const title = entry === null ? words.add : filled(words.editNamed, { word: entry.word })
  return (
    <FormDialog
      title={title}
      fault={faults.rest}
      save={words.save}
      cancel={words.cancel}
      send={send}
      close={close}
    >
      <PickField
        id="entry-type"
        label={words.type}
        help={words.typeHelp[draft.type]}
        value={draft.type}
        options={TYPES.map((value) => ({ value, name: words.types[value] }))}
        set={(type) => set({ type })}
        fault={faults.of('type')}
      />
      <LineField
        id="entry-word"
        label={draft.is_regex ? words.pattern : words.word}
        isRequired
        value={draft.word}
        set={(value) => set({ word: value })}
        fault={faults.of('word')}
      />
      {isRewriting(draft) && (
        <LineField
          id="entry-replacement"
          label={words.replacement}
          isRequired
          help={draft.type === 'snippet' ? words.snippetHelp : words.replacementHelp}
          rows={2}
          value={draft.replacement}
          set={(replacement) => set({ replacement })}
          fault={faults.of('replacement')}
        />
      )}
      <LineField
        id="entry-aliases"
        label={words.aliases}
        help={words.aliasesHelp}
        rows={2}
        value={draft.aliases}
        set={(aliases) => set({ aliases })}
        fault={faults.of('aliases')}
      />
      <details>
        <summary>{words.more}</summary>
        <div class="stack">
          <FlagField
            id="entry-case"
            label={words.caseSensitive}
            value={draft.case_sensitive}
            set={(value) => set({ case_sensitive: value })}
          />
          <FlagField
            id="entry-whole"
            label={words.wholeWord}
            value={draft.whole_word}
            set={(value) => set({ whole_word: value })}
          />
          <FlagField
            id="entry-regex"
            label={words.isRegex}
            value={draft.is_regex}
            set={(value) => set({ is_regex: value })}
          />
          <FlagField
            id="entry-enabled"
            label={words.enabled}
            value={draft.enabled}
            set={(enabled) => set({ enabled })}
          />
          <PickField
            id="entry-language"
            label={words.language}
            value={draft.language}
            options={[
              { value: '', name: words.anyLanguage },
              ...languagesByName.value.map(({ code, name }) => ({ value: code, name })),
            ]}
            set={(language) => set({ language })}
            fault={faults.of('language')}
          />
          <LineField
            id="entry-priority"
            label={words.priority}
            help={words.priorityHelp}
            isNumber
            value={draft.priority}
            set={(priority) => set({ priority })}
            fault={faults.of('priority')}
          />
        </div>
      </details>
      <Tried id="entry-try" draft={draft} />
    </FormDialog>
  )
}
