// What the recogniser is told before it hears: prompts and keywords of a request, of the settings and of the dictionary.
// How much of it finds room is text/dictionary/prompt.ts.

import type { ModelFile } from '../engine/engine.ts'
import { inSlices } from '../lib/time-slice.ts'
import type { Warning } from '../lib/warning.ts'
import type { Settings } from '../settings/settings.ts'
import { type DictionaryPrompt, dictionaryPrompt, MAX_PROMPT_TOKENS } from '../text/dictionary/prompt.ts'
import type { TaughtDictionary } from '../writing/dictionary.ts'
import type { TokenCounters } from '../writing/token-counter.ts'

export type TellingDeps = {
  dictionary: Pick<TaughtDictionary, 'prompt'>
  /** of the vocabulary of a model */
  tokenCounters: TokenCounters
  settings: { current(): Settings }
}

type Asked = {
  /** of this request alone; the settings' and the dictionary's come besides */
  prompt: string | null
  /** terms that are likely to be said, besides the dictionary's */
  keywords?: readonly string[]
}

/** Where the dictionary does not apply its terms are not told either. */
export function promptFrom(
  { dictionary, settings, tokenCounters }: TellingDeps,
  { prompt, keywords = [] }: Asked,
  { model, language, applies }: { model: ModelFile; language: string | null; applies: boolean },
): Promise<DictionaryPrompt> {
  const initialPrompt = joined([settings.current().initialPrompt, prompt])
  const countTokens = tokenCounters(model)
  return applies
    ? dictionary.prompt({ language, initialPrompt, keywords, countTokens })
    : inSlices(dictionaryPrompt({ entries: [], keywords, language, texts: [initialPrompt], countTokens }))
}

/** What found no room in what Whisper can be told. Terms of the dictionary are ranked, and told of where they are kept. */
export function untoldOf({ shortened, droppedKeywords }: DictionaryPrompt): Warning[] {
  const warnings: Warning[] = []
  if (shortened) {
    const message = `The prompt is longer than the ${MAX_PROMPT_TOKENS} tokens that Whisper takes; its beginning was left out.`
    warnings.push({ code: 'prompt_shortened', message })
  }
  if (droppedKeywords.length > 0) {
    const message = `${droppedKeywords.length} of the keywords found no room in what Whisper can be told.`
    warnings.push({ code: 'keywords_dropped', message })
  }
  return warnings
}

const joined = (prompts: (string | null)[]): string | null => {
  const given = prompts.filter((prompt) => prompt !== null && prompt.trim() !== '')
  return given.length === 0 ? null : given.join(' ')
}
