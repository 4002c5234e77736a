// The types of a refinement: options, result and steps.

import type { Warning } from '../lib/warning.ts'

/** The three refinement switches of the settings. */
export type RefinementFlags = { smartCleanup: boolean; selfCorrection: boolean; preserveTechnical: boolean }

export type StyledRefineOptions = {
  /** ISO 639-1; null if unknown */
  language: string | null
  /** the requested language, which decides the script of a language model's answer; absent: left as the model wrote it */
  written?: string | null
  /** the target application, which decides the writing style */
  app: { appName: string | null; appId: string | null; appUrl: string | null }
  /** null: the style that matches the application */
  writingStyleId: string | null
  /** override those of the style and of the settings */
  flags: Partial<RefinementFlags> | null
  /** null: as the style says */
  useLlm: boolean | null
  /** null: as the style or the settings say */
  llmModel: string | null
  signal: AbortSignal
  /** fallback if the language is neither given nor detected in the text; absent: none */
  otherwise?: string | null
}

export type Refined = {
  text: string
  /** `llm_failed`: the text is the output of the rules */
  status: 'rules' | 'llm' | 'llm_failed'
  /** the style that was used */
  writingStyleId: string
  flags: RefinementFlags
  /** null if no language model wrote the text */
  llmModel: string | null
  ms: number
  /** requests that could not be fulfilled */
  warnings: Warning[]
}

/** A change by a rule or the model, with the whole text before and after it. */
export type RefinedStep = { step: string; before: string; after: string }

/** Never throws. After an abort, ignore the result. */
export type Refiner = { refine(text: string, options: StyledRefineOptions): Promise<Refined> }
