// Headings, icons, pages of a list and scrolling boxes.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { strings } from '../strings/strings.ts'
import { figure } from './formats.ts'

/** Not at the first load: the page then starts at its top. */
let isFirst = true

export const Heading = ({ text }: { text: string }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  useLayoutEffect(() => {
    document.title = `${text} – ${strings.value.shell.title}`
  }, [text])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {text}
    </h1>
  )
}

const PATHS = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  star: 'm12 3.5 2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9L3.5 9.7l5.9-.8z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  restore: 'M4 9h10a5 5 0 0 1 0 10H8M8 5 4 9l4 4',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  back: 'M11 8 5 12l6 4zM19 8l-6 4 6 4z',
  forward: 'm13 8 6 4-6 4zM5 8l6 4-6 4z',
}

export type IconName = keyof typeof PATHS

export const Icon = ({ name, isFull = false }: { name: IconName; isFull?: boolean }) => (
  <svg
    class={isFull ? 'drawn full' : 'drawn'}
    viewBox="0 0 24 24"
    width="18"
    height="18"
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS[name]} />
  </svg>
)

type Pages = { offset: number; size: number; total: number; turn: (offset: number) => void }

export const Pager = ({ offset, size, total, turn }: Pages) => {
  const { parts } = strings.value
  if (total <= size) return null
  const last = Math.min(offset + size, total)
  return (
    <nav class="row" aria-label={parts.pages}>
      <button type="button" disabled={offset === 0} onClick={() => turn(Math.max(0, offset - size))}>
        {parts.previous}
      </button>
      <span class="muted">{`${figure(offset + 1)}–${figure(last)} / ${figure(total)}`}</span>
      <button type="button" disabled={last >= total} onClick={() => turn(offset + size)}>
        {parts.next}
      </button>
    </nav>
  )
}

export const ScrollBox = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section class="scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
)
