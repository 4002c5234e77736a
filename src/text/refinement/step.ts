// The shape of one step of refinement and of what it is told.
// Not the order of the steps: that is refine.ts.

import type { Language } from './languages/languages.ts'
import type { StyleRules } from './style-rules.ts'
import type { TextToken } from './tokens.ts'

export type Flags = { smartCleanup: boolean; selfCorrection: boolean; preserveTechnical: boolean }

export type StepContext = { language: Language; rules: StyleRules; flags: Flags }

/** Gives the new text; the same text where there is nothing to do. Never looks at anything but its arguments. */
export type RefinementStep = (tokens: readonly TextToken[], context: StepContext) => string
