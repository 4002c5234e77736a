// Refinement as a command: removes fillers only, or applies all cleaning rules.

import { removeDiscourseWords, removeHesitations } from '../refinement/fillers.ts'
import { refinementLanguage } from '../refinement/languages/languages.ts'
import { refineText } from '../refinement/refine.ts'
import type { StyleRules } from '../refinement/step.ts'
import { tokenizeText } from '../refinement/tokens.ts'
import { mapInner } from './lines.ts'

const RULES: StyleRules = {
  removeFillers: true,
  capitalize: 'sentence',
  trailingPeriod: 'keep',
  trailingSpace: false,
  spokenPunctuation: false,
  numbers: 'words',
  paragraphs: false,
}
const FLAGS = { smartCleanup: true, selfCorrection: true, preserveTechnical: true }

/** Defaults to English, the language of the instructions. */
const languageIn = (language: string | null): string => language ?? 'en'

export function removeFillers(text: string, language: string | null): string {
  const context = { language: refinementLanguage(languageIn(language)), flags: FLAGS, rules: RULES }
  return removeDiscourseWords(tokenizeText(removeHesitations(tokenizeText(text), context)), context)
}

/** Removes loops, fillers, stutters and corrections; repairs punctuation, capitals and spaces. */
export function cleanUp(text: string, language: string | null): string {
  const options = { language: languageIn(language), flags: FLAGS, rules: RULES, dictionary: null }
  return mapInner(text, (inner) => refineText(inner, options).text)
}
