// What a match is replaced by: fixed text, groups of a regular expression, placeholders of a snippet.
// Reads no clock and no clipboard; it is told what they hold.

import type { EntryContent } from './entry.ts'

export type Placeholder = 'date' | 'time' | 'clipboard'

export type TemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'group'; group: number | string }
  | { kind: 'placeholder'; name: Placeholder }

export type Surroundings = {
  language: string | null
  /** without it there is no date and no time */
  now?: Date | undefined
  /** IANA; that of this computer unless given */
  timeZone?: string | undefined
  /** its text; only ever what the client sent with its request */
  clipboard?: string | null | undefined
}

const GROUPS = /\$(?:(?<dollar>\$)|(?<whole>&)|(?<number>\d{1,2})|\{(?<name>[A-Za-z_]\w*|\d{1,2})\})/
const PLACEHOLDERS = /\{\{\s*(?<placeholder>date|time|clipboard)\s*\}\}/i

const NOTHING = /(?!)/

/** Groups are only looked for in the replacement of a pattern, placeholders only in that of a snippet. */
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

/** The text of a group; empty where it took no part in the match. */
export type GroupText = (group: number | string) => string

/** `missing` are the placeholders that nothing was known for; they leave nothing. */
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

/** English where the language is not known, or by a name that the formats do not know. */
function localeOf(language: string | null): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language ?? 'en')[0] ?? 'en'
  } catch {
    return 'en'
  }
}
