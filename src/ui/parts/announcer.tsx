// What a screen reader is told of what happens: one polite region, there and empty from the start.
// What is seen is each view's own.

import { signal } from '@preact/signals'

const said = signal('')

/** The same sentence twice is said twice. */
export function announce(sentence: string): void {
  said.value = ''
  // Emptied first, and filled after it was drawn, or the region has not changed.
  requestAnimationFrame(() => requestAnimationFrame(() => (said.value = sentence)))
}

export const Announcer = () => (
  <p class="unseen" role="status" aria-live="polite">
    {said}
  </p>
)
