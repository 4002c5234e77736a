// The heading of a view: sets the tab's title and takes the focus after navigation.

import { useLayoutEffect, useRef } from 'preact/hooks'
import { strings } from '../strings/strings.ts'

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
