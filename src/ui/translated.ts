// Keeps the page alive while the browser translates it: Chrome replaces a text by a <font> with the translation, and what
// draws the page would go on changing the text that is no longer in the document. Here each such text goes back to its
// place, empty, before its translation, which is removed when the text changes; then the browser translates the new one.

type Translation = {
  font: Element
  /** in their order, with their own words; several where the browser has joined neighbours */
  texts: Map<Text, string>
}

const byText = new WeakMap<Node, Translation>()
const byFont = new WeakMap<Node, Translation>()

/** Called once, before the first drawing. */
export function followTranslation(): void {
  const observer = new MutationObserver((records) => {
    for (const { font, texts } of translationsIn(records)) adopt(font, texts)
    for (const { type, target, removedNodes } of records) {
      if (type === 'characterData') endTranslation(byText.get(target), target)
      for (const node of removedNodes)
        if (!node.isConnected) endTranslation(byText.get(node) ?? byFont.get(node), node)
    }
    // Forgets the changes made above.
    observer.takeRecords()
  })
  observer.observe(document.getElementById('page')!, { childList: true, characterData: true, subtree: true })
}

/** New <font> elements, with the texts that left the document beside them. */
function translationsIn(records: readonly MutationRecord[]): { font: Element; texts: Text[] }[] {
  const added = records.flatMap(({ addedNodes }) => [...addedNodes])
  const fonts = added.filter(
    (node): node is Element => node instanceof Element && node.localName === 'font' && node.isConnected,
  )
  const textsOf = new Map<Element, Text[]>(fonts.map((font) => [font, []]))
  const fontBeside = new Map<Node, Element>(fonts.map((font) => [font, font]))
  // From the last to the first: the neighbour of a text may be one that left after it.
  for (const { target, addedNodes, removedNodes, previousSibling, nextSibling } of records.toReversed()) {
    const beside = [...addedNodes, previousSibling, nextSibling].flatMap(
      (node) => (node && fontBeside.get(node)) ?? [],
    )
    const isHere = ({ parentNode }: Element) => parentNode === target
    const font = beside.find(isHere) ?? fonts.findLast((one) => isHere(one) && textsOf.get(one)!.length === 0)
    if (font === undefined) continue
    for (const text of removedNodes) {
      if (!(text instanceof Text) || text.isConnected || fontBeside.has(text)) continue
      fontBeside.set(text, font)
      textsOf.get(font)!.unshift(text)
    }
  }
  return [...textsOf].map(([font, texts]) => ({ font, texts })).filter(({ texts }) => texts.length > 0)
}

function adopt(font: Element, texts: readonly Text[]): void {
  const translation: Translation = { font, texts: new Map(texts.map((text) => [text, text.data])) }
  byFont.set(font, translation)
  for (const text of texts) {
    byText.set(text, translation)
    text.data = ''
  }
  font.before(...texts)
}

/** @param changed what has its words, or none, from elsewhere; all others of the translation have theirs again */
function endTranslation(translation: Translation | undefined, changed: Node): void {
  if (translation === undefined) return
  byFont.delete(translation.font)
  translation.font.remove()
  for (const [text, words] of translation.texts) {
    byText.delete(text)
    if (text !== changed) text.data = words
  }
}
