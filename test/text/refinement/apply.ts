// Runs one step of refinement alone.

import { languageOf } from '../../../src/text/refinement/languages/languages.ts'
import type { Step } from '../../../src/text/refinement/step.ts'
import type { StyleRules } from '../../../src/text/refinement/style-rules.ts'
import { tokenize } from '../../../src/text/refinement/tokens.ts'
import { FLAGS, RULES } from './pairs.ts'

export const apply = (
  step: Step,
  text: string,
  language: string | null = 'en',
  rules: Partial<StyleRules> = {},
) => step(tokenize(text), { language: languageOf(language), flags: FLAGS, rules: { ...RULES, ...rules } })
