// The form values of an entry, and their conversion to the request body.

import { sentNumber, valuesIn } from '../parts/value-lines.ts'
import type { ShownEntry } from '../server/wire.ts'

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
