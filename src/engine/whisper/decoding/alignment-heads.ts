// The cross-attention heads that follow the speech, which word times are derived from. OpenAI published those of its models
// with its code (MIT).

import type { WhisperShape } from '../../whisper-tensors.ts'

export type Head = readonly [layer: number, head: number]

type Shape = Pick<WhisperShape, 'vocabulary' | 'textLayers' | 'textHeads' | 'audioLayers'>

const ENGLISH = 51_864
const MULTILINGUAL = 51_865
const WITH_CANTONESE = 51_866

/** Keys: encoder layers, decoder layers, heads, vocabulary. Values: layer.head. large-v1 has large-v2's shape. */
const PUBLISHED: Record<string, string> = {
  [`4 4 6 ${ENGLISH}`]: '1.0 2.0 2.5 3.0 3.1 3.2 3.3 3.4',
  [`4 4 6 ${MULTILINGUAL}`]: '2.2 3.0 3.2 3.3 3.4 3.5',
  [`6 6 8 ${ENGLISH}`]: '3.3 4.7 5.1 5.5 5.7',
  [`6 6 8 ${MULTILINGUAL}`]: '3.1 4.2 4.3 4.7 5.1 5.2 5.4 5.6',
  [`12 12 12 ${ENGLISH}`]:
    '6.6 7.0 7.3 7.8 8.2 8.5 8.7 9.0 9.4 9.8 9.10 10.0 10.1 10.2 10.3 10.6 10.11 11.2 11.4',
  [`12 12 12 ${MULTILINGUAL}`]: '5.3 5.9 8.0 8.4 8.7 8.8 9.0 9.7 9.9 10.5',
  [`24 24 16 ${ENGLISH}`]:
    '11.4 14.1 14.12 14.14 15.4 16.0 16.4 16.9 17.12 17.14 18.7 18.10 18.15 20.0 20.3 20.9 20.14 21.12',
  [`24 24 16 ${MULTILINGUAL}`]: '13.15 15.4 15.15 16.1 20.0 23.4',
  [`32 32 20 ${MULTILINGUAL}`]:
    '10.12 13.17 16.11 16.12 16.13 17.15 17.16 18.4 18.11 18.19 19.11 21.2 21.3 22.3 22.9 22.12 23.5 23.7 23.13 25.5 26.1 26.12 27.15',
  [`32 32 20 ${WITH_CANTONESE}`]: '7.0 10.17 12.18 13.12 16.1 17.14 19.11 21.4 24.1 25.6',
  [`32 4 20 ${WITH_CANTONESE}`]: '2.4 2.11 3.3 3.6 3.11 3.14',
}

const headOf = (text: string) => text.split('.').map(Number) as [layer: number, head: number]

/** For any other model: the upper half of its layers follows the speech better than the lower half. */
const upperHalf = ({ textLayers, textHeads }: Shape): Head[] => {
  const first = Math.floor(textLayers / 2)
  const count = (textLayers - first) * textHeads
  return Array.from({ length: count }, (_, i) => [first + Math.floor(i / textHeads), i % textHeads])
}

/** Sorted by layer, then head. */
export const alignmentHeads = (shape: Shape): Head[] => {
  const { audioLayers, textLayers, textHeads, vocabulary } = shape
  const published = PUBLISHED[`${audioLayers} ${textLayers} ${textHeads} ${vocabulary}`]
  return published ? published.split(' ').map(headOf) : upperHalf(shape)
}
