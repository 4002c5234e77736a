// Actions for selected words of the transcript: add to the dictionary, or copy.

import { useEffect, useState } from 'preact/hooks'
import { copyText } from '../captures/capture-actions.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { AddToDictionary } from './add-to-dictionary.tsx'

type Props = { capture: DetailedCapture; list: { current: HTMLElement | null } }

/** The dictionary's limit for one word, in characters. */
const MOST = 100

export const WordBar = ({ capture, list }: Props) => {
  const [words, select] = useState('')
  const [adding, add] = useState<string | null>(null)
  useEffect(() => {
    const look = () => {
      const selection = getSelection()
      const isHere = selection?.anchorNode && list.current?.contains(selection.anchorNode)
      // A button of the bar keeps the selection, but the form's fields clear it.
      if (selection && !selection.isCollapsed && isHere) select(selection.toString().trim())
      else if (!document.activeElement?.closest('.wordbar')) select('')
    }
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [list])
  const { capture: text, captures } = strings.value
  if (adding !== null) {
    return (
      <div class="card wordbar">
        <AddToDictionary word={adding} language={capture.detected_language} onDone={() => add(null)} />
      </div>
    )
  }
  if (words === '') return null
  return (
    <div class="card wordbar row">
      <button type="button" onClick={() => void copyText(words)}>
        {captures.copy}
      </button>
      {words.length <= MOST && (
        <button type="button" onClick={() => add(words)}>
          {filled(text.addToDictionary, { word: words })}
        </button>
      )}
    </div>
  )
}
