// Copies a text, and says so only when the browser did it.
// Which text that is, is the caller's.

import { useState } from 'preact/hooks'
import { announce } from '../parts/announcer.tsx'
import { note } from '../parts/toasts.tsx'
import { strings } from '../strings/strings.ts'

type CopyButtonProps = {
  text: string
  buttonRef?: { current: HTMLButtonElement | null }
  onCopied?: () => void
}

/** A text that changes behind it is not copied any more. */
export const CopyButton = ({ text, buttonRef, onCopied }: CopyButtonProps) => {
  const [copied, remember] = useState<string | null>(null)
  const { record } = strings.value
  const copy = async (event: MouseEvent) => {
    try {
      await navigator.clipboard.writeText(text)
      remember(text)
      announce(record.copied)
      // By keys: what follows is the next recording.
      if (event.detail === 0) onCopied?.()
    } catch {
      note(record.notCopied, { isFault: true })
    }
  }
  return (
    <button type="button" class="primary" ref={buttonRef ?? null} onClick={(event) => void copy(event)}>
      {copied === text ? record.copied : record.copy}
    </button>
  )
}
