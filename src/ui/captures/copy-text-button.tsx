// Copies a text, and shows for a moment that it did.

import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { strings } from '../strings/strings.ts'
import { copyText } from './capture-actions.ts'

type Props = {
  /** read when the button is pressed */
  text: () => string
  class: string
  isDisabled?: boolean
  /** an icon alone: its accessible name */
  name?: string
}

const SHOWN_MS = 2000

export const CopyTextButton = ({ text, class: look, isDisabled = false, name }: Props) => {
  const [isCopied, show] = useState(false)
  const { captures } = strings.value
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => show(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const label = isCopied ? captures.copied : captures.copy
  return (
    <button
      type="button"
      class={look}
      disabled={isDisabled}
      title={name === undefined ? undefined : label}
      aria-label={name}
      onClick={() => void copyText(text()).then(show)}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {name === undefined && label}
    </button>
  )
}
