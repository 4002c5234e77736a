// A horizontally scrolling container for wide content, also scrollable by keyboard.

import type { ComponentChildren } from 'preact'

export const ScrollBox = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section class="scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
)
