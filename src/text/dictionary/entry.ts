// An entry of the dictionary: schema, defaults, limits, and the template language of its replacement.

import { type Static, Type } from '@sinclair/typebox'
import { nullable, oneOf } from '../../lib/schema.ts'

export const ENTRY_TYPES = ['term', 'replacement', 'snippet', 'omit'] as const

export const ENTRY_SOURCES = ['manual', 'import', 'learned'] as const

export const ENTRY_LIMITS = {
  wordCharacters: 200,
  replacementCharacters: 10_000,
  aliases: 20,
  /** largest absolute value */
  priority: 1_000_000,
} as const

// A file edited by hand may have a NUL character, which Postgres cannot store.
const text = (options: object = {}) => Type.String({ pattern: '^[^\\u0000]*$', ...options })

const content = {
  /**
   * a term helps recognition, a replacement rewrites recognised text, a snippet expands a spoken trigger, and a word to
   * omit is removed from the text
   */
  type: oneOf(ENTRY_TYPES),
  /** NFC; the recognised, replaced or spoken word, or a regular expression */
  word: text({ minLength: 1 }),
  /** null for a term and for a word to omit; never empty for the others, which would remove a word by accident */
  replacement: nullable(text()),
  /** other forms of `word`; for a term, misheard forms that are replaced by the term */
  aliases: Type.Array(text()),
  caseSensitive: Type.Boolean(),
  wholeWord: Type.Boolean(),
  isRegex: Type.Boolean(),
  enabled: Type.Boolean(),
  /** Whisper's code; null: any language */
  language: nullable(text()),
  /** higher is preferred */
  priority: Type.Integer({ minimum: -ENTRY_LIMITS.priority, maximum: ENTRY_LIMITS.priority }),
}

/** The fields that a user may change. */
export const EntryContentSchema = Type.Object(content)
export type EntryContent = Static<typeof EntryContentSchema>

export const EntrySchema = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  ...content,
  source: oneOf(ENTRY_SOURCES),
  usageCount: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  lastUsedAt: nullable(Type.Date()),
  createdAt: Type.Date(),
  updatedAt: Type.Date(),
})
export type Entry = Static<typeof EntrySchema>

export const NEW_ENTRY = {
  replacement: null,
  aliases: [],
  caseSensitive: false,
  wholeWord: true,
  isRegex: false,
  enabled: true,
  language: null,
  priority: 0,
} as const satisfies Omit<EntryContent, 'type' | 'word'>

/** The type of an entry without one; an empty replacement counts as none. */
export const impliedType = (replacement: string | null | undefined): EntryContent['type'] =>
  replacement == null || isUnfilled(replacement) ? 'term' : 'replacement'

/** Only spaces count as empty, as in a form left blank; a line break is a valid replacement that users dictate. */
export const isUnfilled = (replacement: string): boolean => /^[ \u00a0]*$/.test(replacement)

/** Limited because all entries are in memory, and in a copy that is written after each change. */
export const DICTIONARY_LIMITS = { entries: 50_000, characters: 4_000_000 } as const

/** The number of times an entry changed a text. */
export type Applied = { id: string; count: number }

export type Placeholder = 'date' | 'time' | 'clipboard'

export type TemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'group'; group: number | string }
  | { kind: 'placeholder'; name: Placeholder }

export type Surroundings = {
  language: string | null
  /** without it, date and time are missing */
  now?: Date | undefined
  /** IANA name; defaults to the time zone of this computer */
  timeZone?: string | undefined
  /** the clipboard text that the client sent with its request */
  clipboard?: string | null | undefined
}

const GROUPS = /\$(?:(?<dollar>\$)|(?<whole>&)|(?<number>\d{1,2})|\{(?<name>[A-Za-z_]\w*|\d{1,2})\})/
const PLACEHOLDERS = /\{\{\s*(?<placeholder>date|time|clipboard)\s*\}\}/i

const NOTHING = /(?!)/

/** Only the replacement of a pattern has groups, and only that of a snippet has placeholders. */
export function parseTemplate({ type, isRegex, replacement }: EntryContent): TemplatePart[] {
  const text = replacement ?? ''
  const [groups, placeholders] = [isRegex ? GROUPS : NOTHING, type === 'snippet' ? PLACEHOLDERS : NOTHING]
  const parts: TemplatePart[] = []
  let done = 0
  for (const match of text.matchAll(new RegExp(`${groups.source}|${placeholders.source}`, 'gi'))) {
    if (match.index > done) parts.push({ kind: 'text', text: text.slice(done, match.index) })
    parts.push(partOf(match.groups ?? {}))
    done = match.index + match[0].length
  }
  if (done < text.length) parts.push({ kind: 'text', text: text.slice(done) })
  return parts
}

function partOf(found: Record<string, string | undefined>): TemplatePart {
  const { dollar, whole, number, name, placeholder } = found
  if (dollar !== undefined) return { kind: 'text', text: '$' }
  if (placeholder !== undefined)
    return { kind: 'placeholder', name: placeholder.toLowerCase() as Placeholder }
  const group = whole !== undefined ? '0' : (number ?? name!)
  return { kind: 'group', group: /^\d+$/.test(group) ? Number(group) : group }
}

/** Returns the text of a group; empty if the group did not participate in the match. */
export type GroupText = (group: number | string) => string

/** `missing` are the placeholders without a value; they expand to nothing. */
export function expandTemplate(
  parts: readonly TemplatePart[],
  groupText: GroupText,
  surroundings: Surroundings,
): { text: string; missing: Placeholder[] } {
  const missing: Placeholder[] = []
  const texts = parts.map((part) => {
    if (part.kind === 'text') return part.text
    if (part.kind === 'group') return groupText(part.group)
    const text = placeholderText(part.name, surroundings)
    if (text === null) missing.push(part.name)
    return text ?? ''
  })
  return { text: texts.join(''), missing }
}

function placeholderText(name: Placeholder, { language, now, timeZone, clipboard }: Surroundings) {
  if (name === 'clipboard') return clipboard ?? null
  if (now === undefined) return null
  const style = name === 'date' ? ({ dateStyle: 'long' } as const) : ({ timeStyle: 'short' } as const)
  return new Intl.DateTimeFormat(localeOf(language), { ...style, timeZone }).format(now)
}

/** English if the language is unknown to us or to Intl. */
function localeOf(language: string | null): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language ?? 'en')[0] ?? 'en'
  } catch {
    return 'en'
  }
}
