// Commands that put Markdown, quotes or brackets around a text, and that remove quotes and brackets.

import { finalBreaksOf, lineBreakOf, linesOf, mapEachLine, mapInner } from './lines.ts'
import type { Params } from './pattern.ts'
import { around, becoming, slotRule, textRule } from './rule.ts'
import { numberOf, ordinalOf } from './spoken-values.ts'

const wrap = (text: string, open: string, close: string): string =>
  mapInner(text, (inner) => open + inner + close)

export const inQuotes = (text: string): string => wrap(text, '"', '"')

const QUOTES = ['""', '“”', '„“', '„”', '«»', '‘’', "''", '``', '「」']

/** Removes the quotes around the whole text; if there are none, all double quotes inside. */
const removeQuotes = (text: string): string =>
  mapInner(text, (inner) => {
    const isQuoted = inner.length > 2 && QUOTES.includes(inner.charAt(0) + inner.slice(-1))
    return isQuoted ? inner.slice(1, -1) : inner.replace(/["“”„«»]/gu, '')
  })

const removeBrackets = (text: string): string => text.replace(/[()[\]{}（）［］【】]/gu, '')

export const bold = (text: string): string => emphasized(text, '**')
export const italic = (text: string): string => emphasized(text, '*')

/** Wraps each line, since emphasis does not extend over an empty line, after the marker of a list item. */
const emphasized = (text: string, mark: string): string =>
  mapEachLine(text, (line) =>
    mapInner(line, (inner) => {
      const [marker = ''] = /^(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,4}[.)]\s+|#{1,6}\s+)?/u.exec(inner) ?? []
      const content = inner.slice(marker.length)
      const isMarked = content.startsWith(mark) && content.endsWith(mark) && content.length > 2 * mark.length
      return isMarked ? inner : marker + mark + content + mark
    }),
  )

const heading = (text: string, level: number): string =>
  mapInner(text, (inner) => `${'#'.repeat(level)} ${inner.replace(/^#{1,6}\s+/u, '')}`)

/** The level is a number or an ordinal: "heading level two", "second level heading". */
function headingOf(text: string, { n, place }: Params): string | null {
  const level = place === undefined ? numberOf(n) : ordinalOf(place)
  return level >= 1 && level <= 6 ? heading(text, level) : null
}

/** The fence must be longer than any run of backticks inside. */
export const inlineCode = (text: string): string =>
  mapInner(text, (inner) => {
    const fence = '`'.repeat(longestRun(inner) + 1)
    const space = inner.startsWith('`') || inner.endsWith('`') ? ' ' : ''
    return fence + space + inner + space + fence
  })

function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(longestRun(text) + 1, 3))
  return [fence, ...linesOf(text), fence].join(lineBreakOf(text)) + finalBreaksOf(text)
}

const longestRun = (text: string): number =>
  Math.max(0, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length))

export const FORMAT_RULES = [
  textRule('code block', 'Makes the text a code block.', codeBlock, [
    'make this a code block',
    ...becoming('[fenced] code (block|fence)'),
    ...around('([a] [fenced] code (block|fence)|(triple|three) backticks)'),
  ]),
  textRule('inline code', 'Puts backticks around the text.', inlineCode, [
    'make that inline code',
    ...becoming('(in~line code|code|monospace)'),
    ...around('(back~ticks|a backtick|backtick|single backticks)'),
  ]),
  textRule('bold', 'Makes the text bold, in Markdown.', bold, ['make it bold', ...becoming('[in] bold')]),
  textRule('italic', 'Makes the text italic, in Markdown.', italic, [
    'make it italic',
    ...becoming('[in] (italic|italics)'),
    '(italicize|italicise|emphasize|emphasise) [<this>]',
  ]),
  slotRule('heading', 'Makes the text a heading, in Markdown.', headingOf, [
    'make this a heading',
    ...becoming('(heading|header|headline)'),
    ...becoming('(heading|header|headline|h) [level|of level] {n}'),
    ...becoming('(level {n}|{place} level) (heading|header|headline)'),
  ]),
  textRule('subheading', 'Makes the text a heading of the second level.', (text) => heading(text, 2), [
    'make this a subheading',
    ...becoming('(sub~heading|sub~header|sub~title|sub~headline)'),
  ]),
  textRule('quote', 'Puts double quotes around the text.', inQuotes, [
    'wrap this in quotes',
    ...around('[double] (quotes|quotation marks|quote marks|speech marks|inverted commas)'),
    'quote [<this>]',
  ]),
  textRule('parentheses', 'Puts parentheses around the text.', (text) => wrap(text, '(', ')'), [
    'put parentheses around it',
    ...around('(parentheses|parenthesis|parens|round brackets)'),
    '(parentheses|parenthesize [<this>])',
  ]),
  textRule('brackets', 'Puts square brackets around the text.', (text) => wrap(text, '[', ']'), [
    'put this in square brackets',
    ...around('[square] brackets'),
    '(brackets|bracket <this>)',
  ]),
  textRule('remove quotes', 'Removes the quotes around the text, or else those inside.', removeQuotes, [
    'remove quotes',
    '<remove> <all> [double|single] (quotes|quotation marks|speech marks|quote marks) <from>',
    'unquote [<this>]',
  ]),
  textRule('remove brackets', 'Removes all brackets and keeps their content.', removeBrackets, [
    'remove brackets',
    '<remove> <all> [square|round|curly] (brackets|parentheses|parens|braces) <from>',
  ]),
]
