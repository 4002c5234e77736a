import { describe, expect, test } from 'bun:test'
import { paragraphsOf } from '../../../src/ui/capture/paragraphs.ts'
import { timedWords } from '../../../src/ui/capture/timed-words.ts'
import type { ShownSegment } from '../../../src/ui/server/wire.ts'

/** A segment whose words last half a second each; `|` is a pause of two seconds, `||` one of five. */
function segment(id: number, start: number, spoken: string): ShownSegment {
  let at = start
  const words: { word: string; start: number; end: number; probability: number }[] = []
  for (const word of spoken.split(' ')) {
    if (/^\|+$/.test(word)) {
      at += word === '|' ? 2 : 5
      continue
    }
    words.push({ word, start: at, end: at + 0.5, probability: 1 })
    at += 0.5
  }
  const text = words.map(({ word }) => word).join(' ')
  return { id, start, end: at, text, words } as unknown as ShownSegment
}

const LONG = `${'words '.repeat(30)}end.`

function textsOf(segments: ShownSegment[]): string[] {
  return paragraphsOf(segments, timedWords(segments)).map(({ pieces }) =>
    pieces.map(({ segment: at, from, to }) => segments[at]!.text.slice(from, to)).join(' '),
  )
}

describe('the paragraphs of a transcript', () => {
  test('join segments that cut a sentence', () => {
    const first = segment(0, 0, 'prudently in his')
    expect(textsOf([first, segment(1, first.end, 'power to do.')])).toEqual(['prudently in his power to do.'])
  })

  test('begin after a pause at the end of a sentence, also within a segment, but not after a short paragraph', () => {
    expect(textsOf([segment(0, 0, `Hello. | ${LONG} | And then.`)])).toEqual([`Hello. ${LONG} `, 'And then.'])
  })

  test('begin after a long silence wherever it is', () => {
    expect(textsOf([segment(0, 0, 'one two || three')])).toEqual(['one two ', 'three'])
  })

  test('have every character of every segment once, and the time of their first word', () => {
    const segments = [
      segment(0, 0, `${LONG} | ${LONG} | Third.`),
      segment(1, 90, `${LONG} ${LONG} ${LONG} ${LONG} ${LONG} tail`),
    ]
    const paragraphs = paragraphsOf(segments, timedWords(segments))
    for (const [at, { text }] of segments.entries()) {
      const own = paragraphs.flatMap(({ pieces }) => pieces.filter((piece) => piece.segment === at))
      expect(own.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text)
    }
    expect(paragraphs[0]!.start).toBe(0)
    expect(paragraphs[1]!.start).toBe(segments[0]!.words!.find(({ start }) => start > 17)!.start)
  })

  test('use the times of segments without words', () => {
    const segments = [
      { start: 0, end: 2, text: 'First.' },
      { start: 9, end: 12, text: 'Second.' },
    ].map((one, id) => ({ ...one, id }) as unknown as ShownSegment)
    expect(textsOf(segments)).toEqual(['First.', 'Second.'])
  })
})
