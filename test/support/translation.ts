// Imitates Chrome's translation (Google Translate): it replaces each text node by a `<font>` in a `<font>` with the
// translation, and continues with later changes. Sources: react#11538 and
// https://martijnhols.nl/blog/everything-about-google-translate-crashing-react. The "translation" only adds quotation
// marks.

import type { Page } from 'playwright-core'

export type Translating = {
  /**
   * `joined`: neighbouring texts become one `<font>`; `after`: the text is removed before its translation is inserted
   */
  how?: 'replaced' | 'joined' | 'after'
}

/** Every visible text is then between ‹ and ›, again after each change. */
export const translatePage = (page: Page, { how = 'replaced' }: Translating = {}): Promise<void> =>
  page.evaluate(translate, how)

/** Runs in the page. */
function translate(how: NonNullable<Translating['how']>): void {
  const isTranslatable = (text: Text): boolean =>
    text.isConnected &&
    text.data.trim() !== '' &&
    !text.parentElement?.closest('font, script, style, svg, textarea, [translate=no], .notranslate')
  const fontOf = (words: string): Element => {
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    for (const font of [outer, inner]) font.style.verticalAlign = 'inherit'
    inner.textContent = `‹${words}›`
    outer.append(inner)
    return outer
  }
  const replacing: Record<typeof how, (text: Text) => void> = {
    replaced: (text) => text.replaceWith(fontOf(text.data)),
    after: (text) => {
      const { parentNode, nextSibling } = text
      text.remove()
      parentNode!.insertBefore(fontOf(text.data), nextSibling)
    },
    joined: (text) => {
      const joined = [text]
      for (let next = text.nextSibling; next instanceof Text; next = next.nextSibling) joined.push(next)
      text.before(fontOf(joined.map(({ data }) => data).join('')))
      for (const one of joined) one.remove()
    },
  }
  const translateIn = (root: Node): void => {
    const texts: Text[] = root instanceof Text ? [root] : []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text)
    for (const text of texts) if (isTranslatable(text)) replacing[how](text)
  }
  document.documentElement.classList.add('translated-ltr')
  translateIn(document.body)
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') translateIn(target)
      else for (const node of addedNodes) translateIn(node)
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
}
