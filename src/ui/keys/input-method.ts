// Withholds keys that belong to an input method (Enter accepts a candidate, Escape discards it), so that no key handler
// of the page needs to check for composition.

/**
 * Safari sends the keydown that ends a composition after compositionend, not marked as composing, with key code 229.
 */
const PROCESSED_KEY_CODE = 229

/** Must be called before the page adds any other key handler: handlers of one target run in order of registration. */
export function leaveKeysToInputMethod(): void {
  const withhold = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === PROCESSED_KEY_CODE) event.stopImmediatePropagation()
  }
  addEventListener('keydown', withhold, { capture: true })
}
