// Counts the tokens of a text as a model does, with the vocabulary out of its file.
// Does not decide what is counted: that is the dictionary's prompt.

import { openBytes } from '../engine/bytes-on-disk.ts'
import type { ModelFile } from '../engine/engine.ts'
import { readGgmlFile } from '../engine/ggml-file.ts'
import { createTokenizer } from '../engine/whisper/decoding/tokenizer.ts'
import { type CountTokens, countBytes } from '../text/dictionary/prompt.ts'

export type TokenCounters = (model: Pick<ModelFile, 'path'>) => CountTokens

/**
 * A vocabulary is read when something is first counted with it (0.1 s), and the last one is kept.
 * For a model whose file cannot be read bytes are counted, which are never fewer than tokens.
 */
export function createTokenCounters(): TokenCounters {
  let last: { path: string; count: CountTokens } | null = null
  return ({ path }) =>
    (text) => {
      if (last?.path !== path) last = { path, count: counterOf(path) }
      return last.count(text)
    }
}

function counterOf(path: string): CountTokens {
  try {
    using bytes = openBytes(path)
    const file = readGgmlFile(bytes)
    if (!file.ok) return countBytes
    const { encode } = createTokenizer(file.value.vocabulary)
    return (text) => encode(text).length
  } catch {
    return countBytes
  }
}
