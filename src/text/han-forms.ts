// One form for Chinese characters that are written in two: the simplified one, by OpenCC's table.
// For finding, character by character; converting a text for reading takes its phrases, too.

import { to } from 'opencc-js/preset/t2cn'

/** `傳 传|傷 伤|…`: the last table of the chain has the single characters. */
const simplified = new Map(
  String(to.cn?.at(-1)?.at(-1))
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
)

const HAN = /\p{sc=Han}/gu

export const foldHan = (text: string): string => text.replace(HAN, (one) => simplified.get(one) ?? one)
