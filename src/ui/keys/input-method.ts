// Keys that belong to an input method: Enter accepts a candidate, Escape drops it, others choose one.
// No handler of the page receives them, so that none has to tell them from its own keys.

/** Safari sends the keydown that ends a composition after its end, not composing, with key code 229. */
const PROCESSED_KEY_CODE = 229

/** Must be called before the page has any other handler of keys: handlers of one target run in their order. */
export function leaveKeysToInputMethod(): void {
  const withhold = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === PROCESSED_KEY_CODE) event.stopImmediatePropagation()
  }
  addEventListener('keydown', withhold, { capture: true })
}
