// Commands that add or remove Markdown, and that encode a text as JSON or for a URL.

import { fromJsonString, prettyJson, toJsonString, urlDecode, urlEncode } from './encodings.ts'
import { blockQuote, bold, codeBlock, heading, inlineCode, italic, link, strikethrough } from './markdown.ts'
import { numberOf, ordinalOf } from './numerals.ts'
import type { Params } from './pattern.ts'
import { around, becoming, rule, type TransformRule } from './rule.ts'
import { stripHtml } from './strip-html.ts'
import { stripMarkdown } from './strip-markdown.ts'
import { slotValue } from './utterance.ts'

const addressOf = ({ address }: Params): string | null =>
  address === undefined ? null : slotValue(address).replace(/[.,]$/u, '')

export const MARKUP_RULES: TransformRule[] = [
  rule(
    'code block',
    'A fenced block of code.',
    [
      ...becoming('[fenced] code (block|fence)'),
      ...around('[a] [fenced] code (block|fence)'),
      ...around('(triple backticks|three backticks|code fences)'),
    ],
    (text) => codeBlock(text),
    'make this a code block',
  ),
  rule(
    'code block in',
    'A fenced block of code in a language.',
    [...becoming('{code} code block'), ...becoming('code block (in|for|with|of) {code}')],
    (text, { code = '' }) => (/^[\w+#.-]{1,20}$/u.test(code) ? codeBlock(text, code) : null),
    'make this a python code block',
  ),
  rule(
    'inline code',
    'Backticks around the text.',
    [
      ...becoming('(inline code|code|in~line code|monospace|monospaced)'),
      ...around('(backticks|back~ticks|a backtick|backtick|single backticks)'),
    ],
    inlineCode,
    'make that inline code',
  ),
  rule(
    'bold',
    'Bold in Markdown.',
    [...becoming('[in] bold'), 'embolden [<this>]', ...around('double (asterisks|stars)')],
    bold,
    'make it bold',
  ),
  rule(
    'italic',
    'Italic in Markdown.',
    [...becoming('[in] (italic|italics)'), '(italicize|italicise|emphasize|emphasise) [<this>]'],
    italic,
    'make it italic',
  ),
  rule(
    'strikethrough',
    'Struck through in Markdown.',
    [
      ...becoming('(strike~through|struck~through|crossed out)'),
      '(strike|cross) (<this> (out|through)|(out|through) <this>)',
    ],
    strikethrough,
    'strike it through',
  ),
  rule(
    'heading',
    'A heading in Markdown.',
    [
      ...becoming('[a] [markdown] (heading|header|headline)'),
      ...becoming('[a] [markdown] (heading|header|headline|h) [level|of level] {n}'),
      ...becoming('[a] level {n} (heading|header|headline)'),
      ...becoming('[a] {place} level (heading|header|headline)'),
    ],
    (text, { n, place }) => {
      const level = place === undefined ? numberOf(n) : ordinalOf(place)
      return level >= 1 && level <= 6 ? heading(text, level) : null
    },
    'make this a heading',
  ),
  rule(
    'subheading',
    'A heading of the second level in Markdown.',
    becoming('(sub~heading|sub~header|sub~title|sub~headline)'),
    (text) => heading(text, 2),
    'make this a subheading',
  ),
  rule(
    'link',
    'A link in Markdown.',
    [
      ...becoming('[hyper]link'),
      ...becoming('(link|hyperlink|markdown link) [(to|for|pointing to|with)] [the] [address|url] {address}'),
      'link <this> to {address}',
    ],
    (text, params) => link(text, addressOf(params)),
    'make this a link to https://example.com',
  ),
  rule(
    'block quote',
    'A quotation in Markdown, every line behind >.',
    [...becoming('(block~quote|quotation|quoted block|citation)'), 'block~quote [<this>]'],
    blockQuote,
    'make this a block quote',
  ),

  rule(
    'strip markdown',
    'The marks of Markdown go, the text stays.',
    [
      '<remove> [the|all|all the] (markdown|formatting|markdown formatting|markup) [from <this>]',
      '(strip|un~format) (markdown|formatting|<this>)',
      '<make> [<this>] <into> plain text',
      'plain text',
    ],
    stripMarkdown,
    'remove the markdown',
  ),
  rule(
    'strip html',
    'Tags go, the text stays.',
    ['<remove> [the|all|all the] (html|html tags|tags|html markup) [from <this>]'],
    stripHtml,
    'remove the HTML tags',
  ),
  rule(
    'json string',
    'A string of JSON, with its quotes.',
    [
      ...becoming('json string'),
      'escape <this> (for|as) json',
      'json (escape|encode|stringify) [<this>]',
      'stringify [<this>]',
    ],
    toJsonString,
    'make this a JSON string',
  ),
  rule(
    'unescape json',
    'A string of JSON as the text it holds.',
    ['(un~escape|decode|parse) [the|this|that] json [string]', 'json (un~escape|decode)'],
    fromJsonString,
  ),
  rule(
    'format json',
    'JSON, indented by two.',
    [
      '(format|pretty~print|prettify|beautify|indent) [<this>|the|this|that] [as] json',
      '(pretty~print|prettify|beautify) <this>',
      '<make> [<this>] <into> (pretty|formatted|readable) json',
    ],
    prettyJson,
  ),
  rule(
    'url encode',
    'As a part of a web address.',
    ['url (encode|escape) [<this>]', '(encode|escape) <this> (for|as) [a] url', 'percent encode [<this>]'],
    urlEncode,
  ),
  rule(
    'url decode',
    'A part of a web address as text.',
    [
      'url (decode|un~escape) [<this>]',
      '(decode|unescape) [<this>] (the|this|that|from|as) [a] url [encoding]',
      'percent decode [<this>]',
    ],
    urlDecode,
  ),
]
