// Reads pairs of dictated and expected text, and refines with their options. The defaults are those of the built-in
// default style, without numbers.

import { type Flags, refineText } from '../../../src/text/refinement/refine.ts'
import type { StyleRules } from '../../../src/text/refinement/step.ts'

export type Pair = {
  input: string
  expected: string
  note?: string
  options?: { language?: string | null; flags?: Partial<Flags>; rules?: Partial<StyleRules> }
}

export const FLAGS: Flags = { smartCleanup: true, selfCorrection: true, preserveTechnical: true }

export const RULES: StyleRules = {
  removeFillers: true,
  capitalize: 'sentence',
  trailingPeriod: 'keep',
  trailingSpace: false,
  spokenPunctuation: true,
  numbers: 'words',
  paragraphs: false,
}

/** Refines with everything on, except for the given options. */
export const refine = (text: string, language: string | null, options: Pair['options'] = {}) =>
  refineText(text, {
    language: options.language === undefined ? language : options.language,
    flags: { ...FLAGS, ...options.flags },
    rules: { ...RULES, ...options.rules },
  })

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ja', 'zh'] as const

export const readPairs = (language: string): Promise<Pair[]> =>
  Bun.file(new URL(`pairs/${language}.json`, import.meta.url)).json()
