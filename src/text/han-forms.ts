// Folds traditional Chinese characters to simplified ones, character by character, by OpenCC's table. For search only:
// converting a text for reading also needs OpenCC's phrases.

import { to } from 'opencc-js/preset/t2cn'

/** Format: `傳 传|傷 伤|…`. The last table of the chain has the single characters. */
const simplified = new Map(
  String(to.cn?.at(-1)?.at(-1))
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
)

const HAN = /\p{sc=Han}/gu

export const foldHan = (text: string): string => text.replace(HAN, (one) => simplified.get(one) ?? one)
