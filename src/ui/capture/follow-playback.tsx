// Highlights the spoken word during playback and keeps it in view. Scrolling away pauses following; a button resumes
// it.

import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { Playback } from './playback.ts'
import { lastBegun, type TimedWord, wordIndexAt } from './timed-words.ts'
import { blockOf, lightWord, saidOf } from './word-highlights.ts'

type Props = {
  list: { current: HTMLElement | null }
  words: readonly TimedWord[]
  segments: DetailedCapture['segments']
  playback: Playback
}

const SCROLL_KEYS = new Set(['PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', 'Home', 'End'])

/** Events that scroll the page, each with the elements where the same event moves the playback position instead. */
const MOVES_SOUND: Record<string, string> = {
  wheel: ':not(*)',
  touchmove: '.player input',
  keydown: '.player',
}

export const Following = ({ list, words, segments, playback }: Props) => {
  const follows = useSignal(true)
  const shown = useRef({ word: -2, segment: -2 })

  const bringIntoSight = (segment: number): void => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const said = list.current && saidOf(list.current, segment)
    said?.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' })
  }
  // Bypasses Preact: this runs on every frame, and a DOM update costs more than that.
  useSignalEffect(() => {
    const seconds = playback.time.value
    if (!list.current) return
    // Nothing is highlighted before playback has begun.
    const hasBegun = seconds > 0 || playback.isPlaying.value
    const word = hasBegun ? wordIndexAt(words, seconds) : -1
    if (word !== shown.current.word) lightWord('said', list.current, words[word])
    shown.current.word = word
    const segment = hasBegun ? lastBegun(segments, seconds) : -1
    if (segment === shown.current.segment) return
    blockOf(list.current, shown.current.segment)?.removeAttribute('data-now')
    blockOf(list.current, segment)?.setAttribute('data-now', '')
    shown.current.segment = segment
    if (playback.isPlaying.value && follows.value) bringIntoSight(segment)
  })
  useEffect(() => {
    // In a corrected text the words are at other indexes.
    shown.current = { word: -2, segment: -2 }
  }, [words])
  useEffect(() => {
    const release = (event: Event) => {
      if (event instanceof KeyboardEvent && (!SCROLL_KEYS.has(event.key) || event.altKey)) return
      const movesPlayback = event.target instanceof Element && event.target.closest(MOVES_SOUND[event.type]!)
      if (!movesPlayback) follows.value = false
    }
    for (const kind of Object.keys(MOVES_SOUND)) addEventListener(kind, release, { passive: true })
    return () => {
      for (const kind of Object.keys(MOVES_SOUND)) removeEventListener(kind, release)
    }
  }, [])
  if (follows.value || !playback.isPlaying.value) return null
  return (
    <button
      type="button"
      class="primary jumpback"
      onClick={() => {
        follows.value = true
        bringIntoSight(Math.max(shown.current.segment, 0))
      }}
    >
      {strings.value.capture.jumpBack}
    </button>
  )
}
