// Reads the server's `highlight`: text in which everything is escaped but <mark>, as parts to make nodes of.
// Never parsed as HTML, so nothing in it can become an element.

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

/** Characters before the first hit that are kept, so that it is seen where there is little room. */
const LEAD = 32

/** What goes before the first hit, cut to its end at a word. */
export function withShortLead(parts: HighlightPart[]): HighlightPart[] {
  const [first, ...others] = parts
  if (first === undefined || first.isHit || others.length === 0 || first.text.length <= LEAD) return parts
  const end = first.text.slice(-LEAD)
  const word = end.search(/\s\S/)
  return [{ text: `…${word < 0 ? end : end.slice(word + 1)}`, isHit: false }, ...others]
}
