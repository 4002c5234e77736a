// Counts words in any script, also in those written without spaces.

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

export function countWords(text: string): number {
  let words = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words++
  return words
}
