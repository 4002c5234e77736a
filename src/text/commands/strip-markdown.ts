// Removes Markdown and keeps the text; code stays exactly as it is, and so does unknown syntax.

import { mapLines } from './lines.ts'

export function stripMarkdown(text: string): string {
  return mapLines(text, (lines) => {
    let fence: string | null = null
    const out: string[] = []
    for (const line of lines) {
      const [, mark] = /^\s{0,3}(`{3,}|~{3,})/u.exec(line) ?? []
      if (fence === null && mark !== undefined) fence = mark
      else if (fence !== null && isClosing(line, fence)) fence = null
      else if (fence !== null) out.push(line)
      else out.push(...stripLine(line))
    }
    return out
  })
}

const isClosing = (line: string, fence: string): boolean => {
  const trimmed = line.trim()
  return trimmed.startsWith(fence) && /^(?:`+|~+)$/u.test(trimmed)
}

function stripLine(line: string): string[] {
  // A line of only punctuation: a thematic break, the delimiter row of a table, or the underline of a heading.
  const bare = line.replace(/\s/gu, '')
  if (/^(?:\*{3,}|_{3,}|=+|\|?:?-{3}[-:|]*)$/u.test(bare)) return []
  const plain = line
    .replace(/^(?:\s{0,3}>\s?)+/u, '')
    .replace(/^(\s*)[-*+]\s+(?:\[[ xX]\]\s+)?/u, '$1')
    .replace(/^\s{0,3}#{1,6}\s+/u, '')
  return [stripInline(plain)]
}

/** Strips everything but code spans. */
const stripInline = (line: string): string =>
  line
    .split(/(`[^`]+`|``[^\n]+?``)/u)
    .map((piece, index) => (index % 2 === 1 ? piece.replace(/^`+ ?| ?`+$/gu, '') : stripMarks(piece)))
    .join('')

const stripMarks = (piece: string): string =>
  piece
    .replace(/!?\[([^[\]]*)\]\((?:<[^<>]*>|[^()\s]*)(?:\s+"[^"]*")?\)/gu, '$1')
    .replace(/\[([^[\]]+)\]\[[^[\]]*\]/gu, '$1')
    .replace(/<((?:https?:\/\/|mailto:)[^<>\s]+)>/gu, '$1')
    .replace(/\*\*\*(?=\S)([^*]+)\*\*\*/gu, '$1')
    .replace(/\*\*(?=\S)([^*]+)\*\*/gu, '$1')
    .replace(/(?<![*\w])\*(?=\S)([^*]+?)\*(?![*\w])/gu, '$1')
    .replace(/(?<![_\p{L}\p{N}])__(?=\S)([^_]+)__(?![_\p{L}\p{N}])/gu, '$1')
    .replace(/(?<![_\p{L}\p{N}])_(?=\S)([^_]+)_(?![_\p{L}\p{N}])/gu, '$1')
    .replace(/~~(?=\S)([^~]+)~~/gu, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!~|>])/gu, '$1')
