// Refines a long text piece by piece, so that the server answers others in between: an hour of speech would hold it up
// for a second. What is done with a piece is its caller's.

import { inSlices, nextTurn, type Sliced } from '../lib/time-slice.ts'
import type { StyleRules } from '../text/refinement/style-rules.ts'
import type { RefinedStep } from './refined.ts'

type RefinedPiece = { text: string; steps: RefinedStep[] }

/** A piece takes a tenth of a second where every sentence has something to mend; few texts are longer. */
const PIECE_CHARACTERS = 4000

/** How a text ends is asked of its last piece alone. */
const INNER_END: Pick<StyleRules, 'trailingPeriod' | 'trailingSpace'> = {
  trailingPeriod: 'keep',
  trailingSpace: false,
}

export async function refineInPieces(
  text: string,
  { rules, signal }: { rules: StyleRules; signal: AbortSignal },
  refine: (piece: string, rules: StyleRules) => Sliced<RefinedPiece>,
): Promise<RefinedPiece> {
  const pieces = piecesOf(text)
  if (pieces.length < 2) return inSlices(refine(text, rules))
  let refined = ''
  for (const [index, { piece, gap }] of pieces.entries()) {
    await nextTurn()
    if (signal.aborted) return { text, steps: [] }
    const isLast = index === pieces.length - 1
    const { text: done } = await inSlices(refine(piece, isLast ? rules : { ...rules, ...INNER_END }))
    refined += done + gap
  }
  return { text: refined, steps: refined === text ? [] : [{ step: 'rules', before: text, after: refined }] }
}

type Piece = { piece: string /** the white space behind it */; gap: string }

/** Whole sentences, and whole lines where a line is not longer than a piece. */
function piecesOf(text: string): Piece[] {
  if (text.length <= 2 * PIECE_CHARACTERS) return [{ piece: text, gap: '' }]
  const sentences = [...new Intl.Segmenter('und', { granularity: 'sentence' }).segment(text)]
  const pieces: string[] = []
  for (const { segment } of sentences) {
    const last = pieces.at(-1)
    if (last === undefined || last.length + segment.length > PIECE_CHARACTERS) pieces.push(segment)
    else pieces[pieces.length - 1] = last + segment
  }
  return pieces.map((whole) => {
    const piece = whole.trimEnd()
    return { piece, gap: whole.slice(piece.length) }
  })
}
