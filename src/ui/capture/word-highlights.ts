// Highlights words of the transcript: the spoken one, the current unsure one and search matches. Uses the CSS Custom
// Highlight API, which leaves the DOM unchanged during playback; browsers without it highlight the whole segment by an
// attribute.

import { foundPlaces } from './find-spoken.ts'
import type { TimedWord } from './timed-words.ts'

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
