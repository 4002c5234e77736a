// Lights words of the transcript: the one that is said, the unsure one that a person is at, and what was searched for.
// By ranges of the CSS Custom Highlight API, so that nothing in the document changes while it plays; where a browser has
// none, the segment that is said is lit by its attribute.

import { foundPlaces } from './find-spoken.ts'
import type { TimedWord } from './timed-words.ts'

type LitName = 'said' | 'unsure-now' | 'found'

const canLight = typeof Highlight === 'function' && 'highlights' in CSS

/**
 * Segments of a part of the transcript, which a browser leaves undrawn as a whole: it looks at each at every frame whether
 * it came into sight, which for thousands takes the time of the frame.
 */
export const PART = 50

export const blockOf = (list: Element | null, segment: number): Element | null =>
  list?.children[Math.floor(segment / PART)]?.children[segment % PART] ?? null

export const saidOf = (list: Element, segment: number): HTMLElement | null =>
  blockOf(list, segment)?.querySelector<HTMLElement>('.said') ?? null

/** Of a segment's text, whatever elements it is made of. */
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

/** The place in a segment's text that lies behind an event's point. */
export function offsetIn(said: Element, x: number, y: number): number | null {
  const place = caretAt(x, y)
  if (place === null || !said.contains(place.node)) return null
  const range = new Range()
  range.setStart(said, 0)
  range.setEnd(place.node, place.offset)
  return range.toString().length
}

/** WebKit has the older name alone. */
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

/** Every place of these words in the whole transcript. */
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
