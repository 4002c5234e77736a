// Steps through words with low confidence: plays each from just before it and prepares its segment for editing.

import { useEffect, useRef } from 'preact/hooks'
import { clockTime } from '../parts/formats.ts'
import { announce } from '../parts/toasts.tsx'
import type { DetailedCapture } from '../server/wire.ts'
import { counted, filled, strings } from '../strings/strings.ts'
import { lightWord, pieceOf } from './follow-playback.tsx'
import { sureText } from './paragraph-block.tsx'
import type { Playback } from './playback.ts'
import { isUnsure, type TimedWord, type TranscriptState } from './timed-words.ts'

type Props = {
  words: readonly TimedWord[]
  segments: DetailedCapture['segments']
  list: { current: HTMLElement | null }
  playback: Playback | null
  shared: TranscriptState
}

export const UnsureWords = ({ words, segments, list, playback, shared }: Props) => {
  const unsure = words.filter(isUnsure)
  const at = useRef(-1)
  const { capture: text } = strings.value

  const step = (by: 1 | -1): void => {
    if (unsure.length === 0) {
      announce(text.noUnsure)
      return
    }
    const begin = by > 0 ? -1 : 0
    at.current = ((at.current < 0 ? begin : at.current) + by + unsure.length) % unsure.length
    const word = unsure[at.current]!
    shared.editing.value = null
    shared.chosen.value = word
    playback?.seek(word.start)
    lightWord('unsure-now', list.current, word)
    const piece = list.current && pieceOf(list.current, word.segment, word.from)
    piece?.scrollIntoView({ block: 'center' })
    // Enter then starts editing.
    piece?.closest('li')?.querySelector<HTMLElement>('.edit')?.focus({ preventScroll: true })
    const shown = segments[word.segment]!.text.slice(word.from, word.to)
    announce(
      filled(text.unsureAt, { word: shown, time: clockTime(word.start), sure: sureText(word.probability!) }),
    )
  }
  // A ref to the newest closure: a correction changes the list of words.
  const latest = useRef(step)
  latest.current = step
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'F7' || event.ctrlKey || event.altKey || event.metaKey) return
      // Some browsers place a caret in the page on this key.
      event.preventDefault()
      latest.current(event.shiftKey ? -1 : 1)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  if (unsure.length === 0) return null
  return (
    <div class="row unsuresteps">
      <span class="unsure">{counted(unsure.length, text.unsureWords)}</span>
      <button type="button" class="quiet" title="Shift+F7" onClick={() => step(-1)}>
        {text.unsureBefore}
      </button>
      <button type="button" class="quiet" title="F7" onClick={() => step(1)}>
        {text.unsureNext}
      </button>
    </div>
  )
}
