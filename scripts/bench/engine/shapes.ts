// The time of the encoder for a full window, and of a token, in every published shape, compared with CTranslate2.

import type { ModelFile } from '../../../src/engine/engine.ts'
import { SHAPES } from '../../../test/support/model-files.ts'
import { milliseconds, type Row, ratio, seconds } from '../table.ts'
import { openCtranslate2 } from './ctranslate2.ts'
import type { ForcedSize } from './forced-model.ts'
import { middle, transcribeInTurn } from './in-turn.ts'
import { openOurs } from './ours.ts'
import type { Clip, PeerResult } from './peer.ts'

/** With goals: the minimum ratio of CTranslate2's encoder time to ours. */
export const SHAPES_BESIDE: readonly { size: ForcedSize; goal?: number }[] = [
  { size: 'base', goal: 0.85 },
  { size: 'small', goal: 0.75 },
  { size: 'medium' },
  { size: 'large-v3-turbo', goal: 0.65 },
]

export type ShapeCase = {
  size: ForcedSize
  model: ModelFile
  clip: Clip
  python: string
  threads: number
  rounds: number
  /** from SHAPES_BESIDE */
  goal?: number | undefined
}

const partsOf = ({ encodeMs = Number.NaN, tokenMs = Number.NaN }: PeerResult) => ({ encodeMs, tokenMs })

/** The two take turns, after a warm-up round. */
export const measureShape = async (options: ShapeCase): Promise<Row[]> => {
  const { size, model, clip, python, threads, rounds, goal } = options
  const theirs = await openCtranslate2(python, { shape: SHAPES[size], threads })
  const ours = await openOurs({ clip, model, threads }, { trim: false })
  const results = await transcribeInTurn({ ours, theirs }, { rounds })
  await Promise.all([ours.close(), theirs.close()])
  const [our, their] = [partsOf(middle(results.ours!)), partsOf(middle(results.theirs!))]
  return [
    { what: `${size}, encoder: ours`, value: seconds(our.encodeMs) },
    { what: `${size}, encoder: ${theirs.name}`, value: seconds(their.encodeMs) },
    {
      what: `${size}, encoder: CTranslate2 ÷ ours`,
      value: ratio(their.encodeMs, our.encodeMs),
      ...(goal !== undefined && { goal: `≥ ${goal}` }),
    },
    { what: `${size}, a token: ours`, value: milliseconds(our.tokenMs) },
    { what: `${size}, a token: ${theirs.name}`, value: milliseconds(their.tokenMs) },
    { what: `${size}, a token: CTranslate2 ÷ ours`, value: ratio(their.tokenMs, our.tokenMs) },
  ]
}
