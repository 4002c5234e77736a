// Builds the recogniser's prompt from the request, the settings and the dictionary, and drops a result that only repeats it.

import type { ModelFile, Segment } from '../engine/engine.ts'
import type { Warning } from '../lib/warning.ts'
import type { Settings } from '../settings/settings.ts'
import {
  type DictionaryPrompt,
  dictionaryPrompt,
  type GivenPrompt,
  isPromptLeak,
  MAX_PROMPT_TOKENS,
} from '../text/dictionary/prompt.ts'
import { joinTexts } from '../transcription/transcript.ts'
import type { TaughtDictionary } from '../writing/dictionary.ts'
import type { TokenCounters } from '../writing/token-counter.ts'

export type PromptDeps = {
  dictionary: Pick<TaughtDictionary, 'prompt'>
  /** by a model's vocabulary */
  tokenCounters: TokenCounters
  settings: { current(): Settings }
}

type PromptRequest = {
  /** of this request; added to the settings' and the dictionary's */
  prompt: string | null
  /** expected terms, in addition to the dictionary's */
  keywords?: readonly string[]
}

/** Leaves the dictionary's terms out if the dictionary is not applied. */
export function buildRequestPrompt(
  { dictionary, settings, tokenCounters }: PromptDeps,
  { prompt, keywords = [] }: PromptRequest,
  { model, language, applies }: { model: ModelFile; language: string | null; applies: boolean },
): DictionaryPrompt {
  const initialPrompt = joined([settings.current().initialPrompt, prompt])
  const countTokens = tokenCounters(model)
  return applies
    ? dictionary.prompt({ language, initialPrompt, keywords, countTokens })
    : dictionaryPrompt({ entries: [], keywords, language, texts: [initialPrompt], countTokens })
}

/** Reports what did not fit. Dictionary terms are ranked; the dictionary itself reports which ones do not fit. */
export function promptWarnings({ shortened, droppedKeywords }: DictionaryPrompt): Warning[] {
  const warnings: Warning[] = []
  if (shortened) {
    const message = `The prompt is longer than the ${MAX_PROMPT_TOKENS} tokens that Whisper takes; its beginning was cut off.`
    warnings.push({ code: 'prompt_shortened', message })
  }
  if (droppedKeywords.length > 0) {
    const message = `${droppedKeywords.length} of the keywords did not fit into Whisper's prompt.`
    warnings.push({ code: 'keywords_dropped', message })
  }
  return warnings
}

const joined = (prompts: (string | null)[]): string | null => {
  const given = prompts.filter((prompt) => prompt !== null && prompt.trim() !== '')
  return given.length === 0 ? null : given.join(' ')
}

export type PromptLeakFilter = {
  /** @returns the segments that can be emitted now; holds segments back while all of them together may be an echo */
  release(segment: Segment): Segment[]
  isLeak(segments: readonly Segment[]): boolean
}

export function createPromptLeakFilter(prompted: GivenPrompt): PromptLeakFilter {
  let held: Segment[] = []
  let isSpeech = prompted.prompt === null

  const isLeak = (segments: readonly Segment[]): boolean => {
    if (prompted.prompt === null || segments.length === 0) return false
    const text = joinTexts(segments.map((segment) => segment.text))
    return isPromptLeak(text, prompted, { noSpeechProb: leastSilent(segments) })
  }

  return {
    isLeak,
    release(segment) {
      held.push(segment)
      isSpeech ||= !isLeak(held)
      if (!isSpeech) return []
      const released = held
      held = []
      return released
    },
  }
}

/** The lowest no-speech probability of the segments; null unless the engine reports it for every one. */
function leastSilent(segments: readonly Segment[]): number | null {
  const known = segments.flatMap(({ noSpeechProb }) => noSpeechProb ?? [])
  return known.length === segments.length ? Math.min(...known) : null
}
