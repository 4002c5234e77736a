// The actions for selected words, at the selection: copy, play, edit, add to the dictionary.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { copyText } from '../captures/capture-actions.ts'
import { Icon } from '../parts/icons.tsx'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { AddToDictionary } from './add-to-dictionary.tsx'
import { spotAt } from './follow-playback.tsx'
import type { Playback } from './playback.ts'
import { type TimedWord, type TranscriptState, wordIndexOf } from './timed-words.ts'

/** The dictionary's limit for one word, in characters. */
const MOST = 100
const GAP = 8

type Props = {
  capture: DetailedCapture
  list: { current: HTMLElement | null }
  words: readonly TimedWord[]
  playback: Playback | null
  shared: TranscriptState
}

type Selected = { text: string; segment: number; from: number; to: number; box: DOMRect }

export const WordBar = ({ capture, list, words, playback, shared }: Props) => {
  const [selected, select] = useState<Selected | null>(null)
  const [isAdding, add] = useState(false)
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const look = () => {
      const now = selectedIn(list.current)
      // A button of the bar keeps the selection, but the form's fields clear it.
      if (now !== null) select(now)
      else if (!document.activeElement?.closest('.wordbar')) select(null)
    }
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [list])
  useLayoutEffect(() => {
    if (bar.current && selected) place(bar.current, selected.box)
  })
  if (selected === null) return null
  const { capture: text, captures } = strings.value
  const { segment, from, to } = selected
  const close = (): void => {
    add(false)
    select(null)
  }
  if (isAdding) {
    return (
      <div ref={bar} class="card wordbar">
        <AddToDictionary word={selected.text} language={capture.detected_language} onDone={close} />
      </div>
    )
  }
  const word = words[wordIndexOf(words, segment, from)]
  return (
    <div ref={bar} class="wordbar actions">
      <button type="button" class="quiet" onClick={() => void copyText(selected.text)}>
        <Icon name="copy" />
        {text.copyWords}
      </button>
      {playback && word && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            playback.seek(word.start)
            playback.play()
          }}
        >
          <Icon name="play" />
          {captures.play}
        </button>
      )}
      <button
        type="button"
        class="quiet"
        onClick={() => {
          shared.editing.value = { segment, from, to }
          close()
        }}
      >
        <Icon name="edit" />
        {text.edit}
      </button>
      {selected.text.length <= MOST && (
        <button type="button" class="quiet" onClick={() => add(true)}>
          <Icon name="dictionary" />
          {text.addTitle}
        </button>
      )}
    </div>
  )
}

/** Null without a selection in the transcript. */
function selectedIn(list: HTMLElement | null): Selected | null {
  const selection = getSelection()
  if (!list || !selection || selection.isCollapsed || !list.contains(selection.anchorNode)) return null
  const range = selection.getRangeAt(0)
  const text = selection.toString().trim()
  const start = spotAt(range.startContainer, range.startOffset)
  if (text === '' || start === null) return null
  const end = spotAt(range.endContainer, range.endOffset)
  const to = end?.segment === start.segment ? end.offset : start.offset
  return { text, segment: start.segment, from: start.offset, to, box: range.getBoundingClientRect() }
}

/** Above the selection; below it on touch screens, where the menu of the system is above, and at the top of the window. */
function place(bar: HTMLElement, box: DOMRect): void {
  const { width, height } = bar.getBoundingClientRect()
  const whole = bar.offsetParent!.getBoundingClientRect()
  const isBelow = box.top < height + 3 * GAP || matchMedia('(pointer: coarse)').matches
  const top = isBelow ? box.bottom + GAP : box.top - height - GAP
  const left = Math.min(box.left, whole.right - width)
  bar.style.top = `${top - whole.top}px`
  bar.style.left = `${Math.max(left - whole.left, 0)}px`
}
