// A folded text with the way back to where each letter stands in the original.
// For showing where a search matched: in lists (src/captures/highlight.ts) and in the page's transcript.

import { foldForSearch } from './search-words.ts'

export type FoldedText = {
  folded: string
  /** for each place of the folded text, and its end, the place in the original */
  at: number[]
}

/** Letter by letter, which is right unless accents and letters were written as signs of their own. */
export function foldWithPositions(text: string): FoldedText {
  const byLetter = foldPieces(text)
  if (byLetter.folded === foldForSearch(text)) return byLetter
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)
  return foldPieces([...graphemes].map(({ segment }) => segment))
}

function foldPieces(pieces: Iterable<string>): FoldedText {
  const known = new Map<string, string>()
  const at: number[] = []
  let folded = ''
  let place = 0
  for (const piece of pieces) {
    const plain = known.get(piece) ?? foldForSearch(piece)
    known.set(piece, plain)
    for (let index = 0; index < plain.length; index++) at.push(place)
    folded += plain
    place += piece.length
  }
  at.push(place)
  return { folded, at }
}
