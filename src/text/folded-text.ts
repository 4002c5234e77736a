// Folds a text and maps each character back to its offset in the original, to highlight the matches of a search.

import { foldForSearch } from './search-words.ts'

export type FoldedText = {
  folded: string
  /** for each offset in the folded text, and its end, the offset in the original */
  at: number[]
}

/** Folds code point by code point; if that gives a wrong result, as with decomposed accents, by grapheme cluster. */
export function foldWithPositions(text: string): FoldedText {
  const byCodePoint = foldPieces(text)
  if (byCodePoint.folded === foldForSearch(text)) return byCodePoint
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)
  return foldPieces([...graphemes].map(({ segment }) => segment))
}

function foldPieces(pieces: Iterable<string>): FoldedText {
  const known = new Map<string, string>()
  const at: number[] = []
  let folded = ''
  let offset = 0
  for (const piece of pieces) {
    const plain = known.get(piece) ?? foldForSearch(piece)
    known.set(piece, plain)
    for (let index = 0; index < plain.length; index++) at.push(offset)
    folded += plain
    offset += piece.length
  }
  at.push(offset)
  return { folded, at }
}
