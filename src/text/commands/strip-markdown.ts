// Takes the marks of Markdown away and leaves the text: what is in code stays exactly as it is.
// Not a renderer: what it does not know stays.

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
  // Rules between paragraphs, the rule of a table and the underlining of a heading are nothing but marks.
  const signs = line.replace(/\s/gu, '')
  if (/^(?:\*{3,}|_{3,}|=+|\|?:?-{3}[-:|]*)$/u.test(signs)) return []
  const plain = line
    .replace(/^(?:\s{0,3}>\s?)+/u, '')
    .replace(/^(\s*)[-*+]\s+(?:\[[ xX]\]\s+)?/u, '$1')
    .replace(/^\s{0,3}#{1,6}\s+/u, '')
  return [stripInline(plain)]
}

/** Code apart from the rest, which alone has marks. */
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
