// How long the encoder takes for a full window, and a token, in every published shape beside CTranslate2's.
// What is measured of whole hearings is comparisons.ts's.

import type { ModelFile } from '../../../src/engine/engine.ts'
import { SHAPES } from '../../../test/support/model-files.ts'
import { milliseconds, type Row, ratio, seconds } from '../table.ts'
import { openCtranslate2 } from './ctranslate2.ts'
import type { ForcedSize } from './forced-model.ts'
import { hearInTurn, middle } from './in-turn.ts'
import { openOurs } from './ours.ts'
import type { Clip, PeerResult } from './peer.ts'

/** With the least times that CTranslate2's encoder is to take as long. */
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
  /** of SHAPES_BESIDE */
  goal?: number | undefined
}

const partsOf = ({ encodeMs = Number.NaN, tokenMs = Number.NaN }: PeerResult) => ({ encodeMs, tokenMs })

/** In turn, after a round that warms up. */
export const measureShape = async (asked: ShapeCase): Promise<Row[]> => {
  const { size, model, clip, python, threads, rounds, goal } = asked
  const theirs = await openCtranslate2(python, { shape: SHAPES[size], threads })
  const ours = await openOurs({ clip, model, threads }, { trim: false })
  const heard = await hearInTurn({ ours, theirs }, { rounds })
  await Promise.all([ours.close(), theirs.close()])
  const [our, their] = [partsOf(middle(heard.ours!)), partsOf(middle(heard.theirs!))]
  return [
    { what: `${size}, encoder: ours`, value: seconds(our.encodeMs) },
    { what: `${size}, encoder: ${theirs.name}`, value: seconds(their.encodeMs) },
    {
      what: `${size}, encoder: CTranslate2 ÷ ours`,
      value: ratio(their.encodeMs, our.encodeMs),
      ...(goal !== undefined && { note: `goal ≥ ${goal}` }),
    },
    { what: `${size}, a token: ours`, value: milliseconds(our.tokenMs) },
    { what: `${size}, a token: ${theirs.name}`, value: milliseconds(their.tokenMs) },
    { what: `${size}, a token: CTranslate2 ÷ ours`, value: ratio(their.tokenMs, our.tokenMs) },
  ]
}
