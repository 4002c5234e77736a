import type { Language } from './languages/languages.ts'
import type { StyleRules } from './style-rules.ts'
import type { TextToken } from './tokens.ts'

export type Flags = { smartCleanup: boolean; selfCorrection: boolean; preserveTechnical: boolean }

export type StepContext = { language: Language; rules: StyleRules; flags: Flags }

/** Pure; returns the new text, or the same text if there is nothing to do. */
export type RefinementStep = (tokens: readonly TextToken[], context: StepContext) => string
