// Runs a single refinement step.

import { refinementLanguage } from '../../../src/text/refinement/languages/languages.ts'
import type { RefinementStep, StyleRules } from '../../../src/text/refinement/step.ts'
import { tokenizeText } from '../../../src/text/refinement/tokens.ts'
import { FLAGS, RULES } from './pairs.ts'

export const apply = (
  step: RefinementStep,
  text: string,
  language: string | null = 'en',
  rules: Partial<StyleRules> = {},
) =>
  step(tokenizeText(text), {
    language: refinementLanguage(language),
    flags: FLAGS,
    rules: { ...RULES, ...rules },
  })
