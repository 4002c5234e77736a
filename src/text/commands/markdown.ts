// Adds Markdown to a text: bold, italic, heading, link, quote, code.

import { finalBreaksOf, isBlank, lineBreakOf, linesOf, mapEachLine, mapInner } from './lines.ts'

/** Wraps each line, since emphasis does not extend over an empty line. */
const around = (mark: string) => (text: string) =>
  mapEachLine(text, (line) => (isBlank(line) ? line : mapInner(line, (inner) => markLine(inner, mark))))

/** Wraps after the marker of a list item, if there is one. */
function markLine(line: string, mark: string): string {
  const [marker = ''] = /^(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,4}[.)]\s+|#{1,6}\s+)?/u.exec(line) ?? []
  const content = line.slice(marker.length)
  const isMarked = content.startsWith(mark) && content.endsWith(mark) && content.length > 2 * mark.length
  return isMarked ? line : marker + mark + content + mark
}

export const bold = around('**')
export const italic = around('*')
export const strikethrough = around('~~')

export const heading = (text: string, level = 1): string =>
  mapInner(text, (inner) => {
    const [first = '', ...rest] = linesOf(inner)
    const plain = first.replace(/^#{1,6}\s+/u, '')
    const breaks = lineBreakOf(inner)
    return [`${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${plain}`, ...rest].join(breaks)
  })

export const blockQuote = (text: string): string =>
  mapEachLine(text, (line) => (isBlank(line) ? '>' : `> ${line}`))

/** Null if no URL is given and the text is not one. */
export function link(text: string, address: string | null): string | null {
  const inner = text.trim()
  const isAddress = /^(?:https?:\/\/|www\.)\S+$/iu.test(inner)
  if (address === null && !isAddress) return null
  if (address === null) return mapInner(text, () => `<${inner}>`)
  if (/[\s<>]/u.test(address)) return null
  const target = /[()]/u.test(address) ? `<${address}>` : address
  return mapInner(text, () => `[${inner.replace(/[[\]]/gu, '\\$&')}](${target})`)
}

/** The fence must be longer than any run of backticks inside. */
export const inlineCode = (text: string): string =>
  mapInner(text, (inner) => {
    const fence = '`'.repeat(longestRun(inner) + 1)
    const space = inner.startsWith('`') || inner.endsWith('`') ? ' ' : ''
    return fence + space + inner + space + fence
  })

export function codeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(longestRun(text) + 1, 3))
  const breaks = lineBreakOf(text)
  const lines = linesOf(text)
  return [fence + language.toLowerCase(), ...lines, fence].join(breaks) + finalBreaksOf(text)
}

const longestRun = (text: string): number =>
  Math.max(0, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length))
