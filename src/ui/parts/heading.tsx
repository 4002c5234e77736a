// The one heading of a view: it gives the tab its title, and takes the focus when somebody came here by a link.
// What stands below it is the view's own.

import { useLayoutEffect, useRef } from 'preact/hooks'
import { strings } from '../strings/strings.ts'

/** Not at the first load: there the page begins at its top. */
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
