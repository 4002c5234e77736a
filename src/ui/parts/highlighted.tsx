// A text with the matches of a search marked.

export type HighlightPart = { text: string; isHit: boolean }

const ESCAPES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" }

const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_whole, name: string) => ESCAPES[name]!)

export function highlightParts(highlight: string): HighlightPart[] {
  const parts: HighlightPart[] = []
  let isHit = false
  for (const piece of highlight.split(/(<\/?mark>)/)) {
    if (piece === '<mark>') isHit = true
    else if (piece === '</mark>') isHit = false
    else if (piece !== '') parts.push({ text: unescaped(piece), isHit })
  }
  return parts
}

/** Characters kept before the first match, so that it is visible in a narrow space. */
const LEAD = 32

/** Shortens the text before the first match, at a word boundary. */
export function withShortLead(parts: HighlightPart[]): HighlightPart[] {
  const [first, ...others] = parts
  if (first === undefined || first.isHit || others.length === 0 || first.text.length <= LEAD) return parts
  const end = first.text.slice(-LEAD)
  const word = end.search(/\s\S/)
  return [{ text: `…${word < 0 ? end : end.slice(word + 1)}`, isHit: false }, ...others]
}

export const Highlighted = ({ highlight }: { highlight: string }) => (
  <>
    {withShortLead(highlightParts(highlight)).map(({ text, isHit }, at) =>
      isHit ? <mark key={at}>{text}</mark> : text,
    )}
  </>
)
