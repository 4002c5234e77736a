// Counts tokens with the vocabulary in a model file.

import { openBytes } from '../engine/bytes-on-disk.ts'
import type { ModelFile } from '../engine/engine.ts'
import { readGgmlFile } from '../engine/ggml-file.ts'
import { createTokenizer } from '../engine/whisper/decoding/tokenizer.ts'
import { type CountTokens, countBytes } from '../text/dictionary/prompt.ts'

export type TokenCounters = (model: Pick<ModelFile, 'path'>) => CountTokens

/**
 * Reads a vocabulary on first use (0.1 s) and caches the last one.
 * If the model file cannot be read, counts bytes, which are never fewer than tokens.
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
