// Headings, pages of a list and scrolling boxes.

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
