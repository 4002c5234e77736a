// Removes HTML tags and keeps the text, with line breaks for paragraphs and similar elements.

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  euro: '€',
  laquo: '«',
  raquo: '»',
}

/** Each pattern begins with a character that it cannot contain, so no text makes it slow. */
export function stripHtml(text: string): string {
  const bare = withoutHidden(text)
    .replace(/<br\b[^<>]*>/giu, '\n')
    .replace(/<\/(?:p|div|li|tr|h[1-6]|ul|ol|table|blockquote|section|article)\b[^<>]*>/giu, '\n')
    .replace(/<\/?[a-z][^<>]*>|<![a-z[][^<>]*>/giu, '')
  if (bare === text && !/&(?:#\d{1,7}|#x[\da-f]{1,6}|\w{2,8});/iu.test(text)) return text
  return decode(bare)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim()
}

/** Removes comments, scripts and styles. */
function withoutHidden(text: string): string {
  let out = text
  for (const [start, end] of [
    ['<!--', '-->'],
    ['<script', '</script>'],
    ['<style', '</style>'],
  ] as const)
    out = withoutSpans(out, start, end)
  return out
}

function withoutSpans(text: string, start: string, end: string): string {
  const lower = text.toLowerCase()
  // A character whose lowercase form is longer would shift all later offsets.
  if (lower.length !== text.length) return text
  let out = ''
  let at = 0
  for (;;) {
    const from = lower.indexOf(start, at)
    const to = from === -1 ? -1 : lower.indexOf(end, from + start.length)
    if (to === -1) return out + text.slice(at)
    out += text.slice(at, from)
    at = to + end.length
  }
}

const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/giu, (all, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? all) : all
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const isLetter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isLetter ? String.fromCodePoint(code) : all
  })
