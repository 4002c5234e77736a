// The page's one polite live region for screen readers; present and empty from the start.

import { signal } from '@preact/signals'

const said = signal('')

/** A repeated sentence is announced again. */
export function announce(sentence: string): void {
  said.value = ''
  // Cleared, rendered and then filled; otherwise the region has not changed and nothing is announced.
  requestAnimationFrame(() => requestAnimationFrame(() => (said.value = sentence)))
}

export const Announcer = () => (
  <p class="unseen" role="status" aria-live="polite">
    {said}
  </p>
)
