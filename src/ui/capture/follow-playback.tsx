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

/** The piece of a segment with this character of its text; it has the attributes `data-segment` and `data-from`. */
export function pieceOf(list: Element, segment: number, offset = 0): HTMLElement | null {
  const pieces = [...list.querySelectorAll<HTMLElement>(`[data-segment="${segment}"]`)]
  return pieces.findLast((piece) => Number(piece.dataset.from) <= offset) ?? pieces[0] ?? null
}

/** A range of a segment's text, whatever elements the text consists of; it ends with the piece. Null while it is edited. */
function rangeIn(list: Element, { segment, from, to }: Spot): Range | null {
  const piece = pieceOf(list, segment, from)
  const said = piece?.querySelector('.said')
  if (!piece || !said) return null
  const range = new Range()
  const texts = document.createTreeWalker(said, NodeFilter.SHOW_TEXT)
  let passed = Number(piece.dataset.from)
  let isBegun = false
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const length = node.nodeValue!.length
    if (!isBegun && from < passed + length) {
      range.setStart(node, from - passed)
      isBegun = true
    }
    if (isBegun) range.setEnd(node, Math.min(to - passed, length))
    if (isBegun && to <= passed + length) break
    passed += length
  }
  return isBegun ? range : null
}

type Spot = Pick<TimedWord, 'segment' | 'from' | 'to'>

/** The character of a segment's text at a boundary of a range, such as the caret. */
export function spotAt(node: Node, offset: number): { segment: number; offset: number } | null {
  const said = (node instanceof Element ? node : node.parentElement)?.closest('.transcript .said')
  const piece = said?.closest<HTMLElement>('[data-segment]')
  if (!said || !piece) return null
  const range = new Range()
  range.setStart(said, 0)
  range.setEnd(node, offset)
  const { segment, from } = piece.dataset
  return { segment: Number(segment), offset: Number(from) + range.toString().length }
}

/** The character of a segment's text at a point of the screen. */
export function spotAtPoint(x: number, y: number): { segment: number; offset: number } | null {
  const place = caretAt(x, y)
  return place && spotAt(place.node, place.offset)
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
  const range = list && word && rangeIn(list, word)
  if (range) CSS.highlights.set(name, new Highlight(range))
  else CSS.highlights.delete(name)
}

/** Highlights every match of these words in the whole transcript. */
export function lightFound(list: Element, texts: readonly string[], words: string): void {
  if (!canLight) return
  const ranges = foundPlaces(texts, words).flatMap((place) => rangeIn(list, place) ?? [])
  if (ranges.length > 0) CSS.highlights.set('found', new Highlight(...ranges))
  else CSS.highlights.delete('found')
}

export function unlightAll(): void {
  if (canLight) for (const name of ['said', 'unsure-now', 'found']) CSS.highlights.delete(name)
}

type Place = { segment: number; from: number }
type ShownPlace = { word: number; place: Place | null; piece: Element | null }

const NOTHING: ShownPlace = { word: -2, place: null, piece: null }

/** The last word that has begun, or the beginning of a segment without word times; null before the first. */
function placeAt(
  segments: DetailedCapture['segments'],
  words: readonly TimedWord[],
  seconds: number,
): Place | null {
  const segment = lastBegun(segments, seconds)
  if (segment < 0) return null
  const word = words[lastBegun(words, seconds)]
  return { segment, from: word?.segment === segment ? word.from : 0 }
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
  const shown = useRef<ShownPlace>(NOTHING)

  const bringIntoSight = (): void => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    shown.current.piece?.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' })
  }
  // Bypasses Preact: this runs on every frame, and a DOM update costs more than that.
  useSignalEffect(() => {
    const seconds = playback.time.value
    if (!list.current) return
    // Nothing is highlighted before playback has begun.
    const hasBegun = seconds > 0 || playback.isPlaying.value
    const word = hasBegun ? wordIndexAt(words, seconds) : -1
    const place = hasBegun ? placeAt(segments, words, seconds) : null
    const { place: before } = shown.current
    if (word === shown.current.word && place?.segment === before?.segment && place?.from === before?.from)
      return
    if (word !== shown.current.word) lightWord('said', list.current, words[word])
    const piece = place && pieceOf(list.current, place.segment, place.from)
    const isMoved = piece !== shown.current.piece
    if (isMoved) {
      shown.current.piece?.removeAttribute('data-now')
      piece?.setAttribute('data-now', '')
    }
    shown.current = { word, place, piece }
    if (isMoved && playback.isPlaying.value && follows.value) bringIntoSight()
  })
  useEffect(() => {
    // In a corrected text the words are at other indexes.
    shown.current = NOTHING
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
        bringIntoSight()
      }}
    >
      {strings.value.capture.jumpBack}
    </button>
  )
}
