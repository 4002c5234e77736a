// Previews what the dictionary does to a sample text, and the prompt that the recogniser receives. Does not count as a
// use.

import { useState } from 'preact/hooks'
import { ChangedText } from '../parts/changed-text.tsx'
import { LineField, sentNumber, useDebounced, valuesIn } from '../parts/form-field.tsx'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { request } from '../server/request.ts'
import type { DictionaryTrial, ShownEntry } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'

export type EntryDraft = {
  type: ShownEntry['type']
  word: string
  replacement: string
  /** one per line */
  aliases: string
  case_sensitive: boolean
  whole_word: boolean
  is_regex: boolean
  enabled: boolean
  /** '' for any */
  language: string
  priority: string
}

export const NEW_DRAFT: EntryDraft = {
  type: 'term',
  word: '',
  replacement: '',
  aliases: '',
  case_sensitive: false,
  whole_word: true,
  is_regex: false,
  enabled: true,
  language: '',
  priority: '0',
}

export function draftOf(entry: ShownEntry): EntryDraft {
  const { type, word, case_sensitive, whole_word, is_regex, enabled, priority } = entry
  return {
    ...{ type, word, case_sensitive, whole_word, is_regex, enabled },
    replacement: entry.replacement ?? '',
    aliases: entry.aliases.join('\n'),
    language: entry.language ?? '',
    priority: String(priority),
  }
}

/** Whether the entry replaces its word with another text. */
export const isRewriting = ({ type }: EntryDraft): boolean => type === 'replacement' || type === 'snippet'

export const sentEntry = (draft: EntryDraft) => ({
  ...draft,
  replacement: isRewriting(draft) ? draft.replacement : null,
  aliases: valuesIn(draft.aliases),
  language: draft.language === '' ? null : draft.language,
  priority: sentNumber(draft.priority),
})

/** @param changed the dictionary; the preview reloads when it changes */
export const TryDictionary = ({ changed }: { changed: unknown }) => {
  const { dictionary: words } = strings.value
  return (
    <section class="card" aria-labelledby="dictionary-try">
      <h2 id="dictionary-try">{words.try}</h2>
      <Tried id="try" draft={null} changed={changed} />
    </section>
  )
}

type Trying = { id: string; draft: EntryDraft | null; changed?: unknown }

/** With `draft`, previews the entry as if it were saved. */
export const Tried = ({ id, draft, changed = null }: Trying) => {
  const { dictionary: words } = strings.value
  const [text, setText] = useState('')
  const settled = useDebounced(text)
  const entry = useDebounced(draft)
  const outcome = useLoad<DictionaryTrial | null>(
    async (signal) => {
      if (settled.trim() === '') return null
      const draftFields = entry === null || entry.word.trim() === '' ? {} : { entry: sentEntry(entry) }
      return request('/dictionary/test', { method: 'POST', json: { text: settled, ...draftFields }, signal })
    },
    [settled, entry, changed],
  )
  return (
    <div class="stack">
      <LineField
        id={`${id}-text`}
        label={words.tryText}
        help={words.tryHelp}
        rows={2}
        value={text}
        set={setText}
      />
      {settled.trim() !== '' && (
        <WhenLoaded of={outcome}>
          {(made) =>
            made && (
              <div class="stack" aria-live="polite">
                <ChangedText from={settled} to={made.text} />
                {made.applied.length === 0 && <p class="muted small">{words.unchanged}</p>}
                {draft === null && made.prompt !== null && (
                  <p class="muted small">{filled(words.prompt, { prompt: made.prompt })}</p>
                )}
              </div>
            )
          }
        </WhenLoaded>
      )}
    </div>
  )
}
