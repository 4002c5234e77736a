// Beam search over one piece: extends the likeliest sequences side by side until enough of them have ended.

import type { WindowDecoder } from '../batch-scheduler.ts'
import type { Logits } from '../logits.ts'
import type { ChosenToken } from './distribution.ts'
import type { Prompt } from './prompt.ts'
import { advancePrompt, type DecodingAttempt, type DecodingContext, nextOf } from './sample.ts'
import { type DecodingPiece, EMPTY_SEQUENCE, grow, isGrowing, type Sequence } from './sequence.ts'

type Beam = { sequenceId: number; sequence: Sequence; logits: Logits }
type Continuation = { beam: Beam; token: ChosenToken; sumLogprob: number }
type Child = { parent: number; sequence: Sequence }

/** Takes one candidate more than there are beams, since one of them can be the end. */
const continuationsOf = (beams: Beam[], piece: DecodingPiece, count: number): Continuation[] =>
  beams
    .flatMap((beam) =>
      nextOf(beam.sequence, beam.logits, piece, 0)
        .top(count + 1)
        .map((token) => ({ beam, token, sumLogprob: beam.sequence.sumLogprob + token.logprob })),
    )
    .sort((a, b) => b.sumLogprob - a.sumLogprob)

/** The likeliest open continuations, one per beam, and the ended ones that are likelier than the last of these. */
const select = (continuations: Continuation[], piece: DecodingPiece, count: number) => {
  const children: Child[] = []
  const ended: Sequence[] = []
  for (const { beam, token } of continuations) {
    if (children.length === count) break
    const sequence = grow(beam.sequence, token, piece)
    if (sequence.state === 'failed') continue
    if (isGrowing(sequence, piece)) children.push({ parent: beam.sequenceId, sequence })
    else ended.push(sequence)
  }
  return { children, ended }
}

/** The first child of a sequence keeps its id; the others take ids without children. */
const placeChildren = (decoder: WindowDecoder, children: Child[], count: number) => {
  const parents = new Set(children.map(({ parent }) => parent))
  const free = Array.from({ length: count }, (_, sequenceId) => sequenceId).filter(
    (sequenceId) => !parents.has(sequenceId),
  )
  return children.map(({ parent, sequence }) => {
    if (parents.delete(parent)) return { sequenceId: parent, sequence }
    const sequenceId = free.pop()!
    decoder.copy(parent, sequenceId)
    return { sequenceId, sequence }
  })
}

export type BeamOptions = {
  beams: number
  /** called after each token with the frames that the likeliest beam has decoded since the beginning of the piece */
  onReach?: ((frames: number) => void) | undefined
}

/**
 * Temperature 0, patience 1: ends when as many sequences have ended as there are beams.
 * @throws the signal's reason when aborted
 */
export const searchBeams = async (
  context: DecodingContext,
  prompt: Prompt,
  { beams: wanted, onReach }: BeamOptions,
): Promise<DecodingAttempt> => {
  const { decoder, piece, yieldNow } = context
  const { logits, noSpeechProbability } = await advancePrompt(context, prompt)
  const count = Math.min(wanted, decoder.maxSequences)
  const finished: Sequence[] = []
  let beams: Beam[] = [{ sequenceId: 0, sequence: EMPTY_SEQUENCE, logits }]
  while (beams.length > 0 && finished.length < count) {
    await yieldNow()
    const { children, ended } = select(continuationsOf(beams, piece, count), piece, count)
    finished.push(...ended)
    if (finished.length >= count || children.length === 0) break
    const placed = placeChildren(decoder, children, count)
    const after = await decoder.advance(
      placed.map(({ sequenceId, sequence }) => ({ sequenceId, tokens: [sequence.tokens.at(-1)!.id] })),
    )
    beams = placed.map((beam, i) => ({ ...beam, logits: after[i]! }))
    if (beams[0]!.sequence.timed) onReach?.(beams[0]!.sequence.reach)
  }
  const candidates = finished.length > 0 ? finished : [{ ...EMPTY_SEQUENCE, state: 'failed' as const }]
  return {
    temperature: 0,
    noSpeechProbability,
    prompt,
    candidates: candidates.map((sequence) => ({ sequence, sequenceId: null })),
  }
}
