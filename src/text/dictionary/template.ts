// The replacement of an entry as a template: fixed text, groups of a regular expression, placeholders of a snippet.

import type { EntryContent } from './entry.ts'

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
