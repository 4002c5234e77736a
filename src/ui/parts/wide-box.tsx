// A box for what may be wider than the screen: it alone is moved sideways, by keys as well.
// What is in it is each view's.

import type { ComponentChildren } from 'preact'

export const WideBox = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by keys
  <section class="scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
)
