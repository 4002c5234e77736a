// What refining knows, asked for as a command: fillers alone, or everything that makes speech read as written.
// The rules themselves are src/text/refinement.

import { removeDiscourseWords } from '../refinement/discourse-words.ts'
import { removeHesitations } from '../refinement/hesitations.ts'
import { refinementLanguage } from '../refinement/languages/languages.ts'
import { refineText } from '../refinement/refine.ts'
import type { StyleRules } from '../refinement/style-rules.ts'
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

/** English where nobody said otherwise, since the instruction is. */
const languageIn = (language: string | null): string => language ?? 'en'

export function removeFillers(text: string, language: string | null): string {
  const context = { language: refinementLanguage(languageIn(language)), flags: FLAGS, rules: RULES }
  return removeDiscourseWords(tokenizeText(removeHesitations(tokenizeText(text), context)), context)
}

/** Loops, fillers, stutters and corrections go; marks, capitals and spaces are put right. */
export function cleanUp(text: string, language: string | null): string {
  const options = { language: languageIn(language), flags: FLAGS, rules: RULES, dictionary: null }
  return mapInner(text, (inner) => refineText(inner, options).text)
}
