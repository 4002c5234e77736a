// Keeps the page working while the browser translates it. Chrome replaces each text node by a `<font>` with the
// translation, while Preact would go on updating the removed node. This puts each text node back, empty, before its
// translation, and removes the translation when the text changes, so that the browser translates the new text.

type Translation = {
  font: Element
  /** in order, with their original text; several if the browser has joined neighbours */
  texts: Map<Text, string>
}

const byText = new WeakMap<Node, Translation>()
const byFont = new WeakMap<Node, Translation>()

/** Call once, before the first render. */
export function followTranslation(): void {
  const observer = new MutationObserver((records) => {
    for (const { font, texts } of translationsIn(records)) adopt(font, texts)
    for (const { type, target, removedNodes } of records) {
      if (type === 'characterData') endTranslation(byText.get(target), target)
      for (const node of removedNodes)
        if (!node.isConnected) endTranslation(byText.get(node) ?? byFont.get(node), node)
    }
    // Discards the records of the changes made above.
    observer.takeRecords()
  })
  observer.observe(document.getElementById('page')!, { childList: true, characterData: true, subtree: true })
}

/** New `<font>` elements, with the adjacent text nodes that were removed. */
function translationsIn(records: readonly MutationRecord[]): { font: Element; texts: Text[] }[] {
  const added = records.flatMap(({ addedNodes }) => [...addedNodes])
  const fonts = added.filter(
    (node): node is Element => node instanceof Element && node.localName === 'font' && node.isConnected,
  )
  const textsOf = new Map<Element, Text[]>(fonts.map((font) => [font, []]))
  const fontBeside = new Map<Node, Element>(fonts.map((font) => [font, font]))
  // From last to first: the neighbour of a text may be one that was removed after it.
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

/** @param changed has new text, or none; all other texts of the translation get their original text back */
function endTranslation(translation: Translation | undefined, changed: Node): void {
  if (translation === undefined) return
  byFont.delete(translation.font)
  translation.font.remove()
  for (const [text, words] of translation.texts) {
    byText.delete(text)
    if (text !== changed) text.data = words
  }
}
