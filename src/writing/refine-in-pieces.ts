// Refines a long text in pieces and yields between them: an hour of speech would block the event loop for a second.

import { inSlices, nextTurn, type Sliced } from '../lib/slices.ts'
import type { StyleRules } from '../text/refinement/style-rules.ts'
import type { RefinedStep } from './refined.ts'

type RefinedPiece = { text: string; steps: RefinedStep[] }

/** A piece takes 0.1 s at worst, if every sentence needs a change. Few texts are longer than one piece. */
const PIECE_CHARACTERS = 4000

/** The rules about the end of a text apply to its last piece only. */
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

type Piece = { piece: string /** the white space after it */; gap: string }

/** Splits between sentences, never within one. */
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
