// Copies a text and reports success only after the browser has copied it.

import { useState } from 'preact/hooks'
import { announce } from '../parts/announcer.tsx'
import { note } from '../parts/toasts.tsx'
import { strings } from '../strings/strings.ts'

type CopyButtonProps = {
  text: string
  buttonRef?: { current: HTMLButtonElement | null }
  onCopied?: () => void
}

/** Shows "copied" only as long as the text stays the same. */
export const CopyButton = ({ text, buttonRef, onCopied }: CopyButtonProps) => {
  const [copied, remember] = useState<string | null>(null)
  const { record } = strings.value
  const copy = async (event: MouseEvent) => {
    try {
      await navigator.clipboard.writeText(text)
      remember(text)
      announce(record.copied)
      // After a click by keyboard, the next key starts the next recording.
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
