// Highlights the spoken word during playback and keeps it in view. Scrolling away pauses following; a button resumes
// it.

import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { Playback } from './playback.ts'
import { foundPlaces, lastBegun, type TimedWord, wordIndexAt } from './timed-words.ts'

type LitName = 'said' | 'unsure-now' | 'found'

const canLight = typeof Highlight === 'function' && 'highlights' in CSS

/**
 * Segments per `content-visibility` part. The browser checks each part on every frame; with one part per segment,
 * thousands of segments use up the frame's time.
 */
export const PART = 50

export const blockOf = (list: Element | null, segment: number): Element | null =>
  list?.children[Math.floor(segment / PART)]?.children[segment % PART] ?? null

export const saidOf = (list: Element, segment: number): HTMLElement | null =>
  blockOf(list, segment)?.querySelector<HTMLElement>('.said') ?? null

/** A range of a segment's text, whatever elements the text consists of. */
function rangeIn(said: Element, from: number, to: number): Range | null {
  const range = new Range()
  const texts = document.createTreeWalker(said, NodeFilter.SHOW_TEXT)
  let passed = 0
  let isBegun = false
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const length = node.nodeValue!.length
    if (!isBegun && from < passed + length) {
      range.setStart(node, from - passed)
      isBegun = true
    }
    if (isBegun && to <= passed + length) {
      range.setEnd(node, to - passed)
      return range
    }
    passed += length
  }
  return null
}

/** The character offset in a segment's text at a point of the screen. */
export function offsetIn(said: Element, x: number, y: number): number | null {
  const place = caretAt(x, y)
  if (place === null || !said.contains(place.node)) return null
  const range = new Range()
  range.setStart(said, 0)
  range.setEnd(place.node, place.offset)
  return range.toString().length
}

/** WebKit only has the older name. */
function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  const place = document.caretPositionFromPoint?.(x, y)
  if (place) return { node: place.offsetNode, offset: place.offset }
  const range = document.caretRangeFromPoint?.(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : null
}

export function lightWord(name: LitName, list: Element | null, word: TimedWord | undefined): void {
  if (!canLight) return
  const said = list && word && saidOf(list, word.segment)
  const range = said && rangeIn(said, word.from, word.to)
  if (range) CSS.highlights.set(name, new Highlight(range))
  else CSS.highlights.delete(name)
}

/** Highlights every match of these words in the whole transcript. */
export function lightFound(list: Element, texts: readonly string[], words: string): void {
  if (!canLight) return
  const ranges = foundPlaces(texts, words).flatMap(({ segment, from, to }) => {
    const said = saidOf(list, segment)
    return (said && rangeIn(said, from, to)) ?? []
  })
  if (ranges.length > 0) CSS.highlights.set('found', new Highlight(...ranges))
  else CSS.highlights.delete('found')
}

export function unlightAll(): void {
  if (canLight) for (const name of ['said', 'unsure-now', 'found']) CSS.highlights.delete(name)
}

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
