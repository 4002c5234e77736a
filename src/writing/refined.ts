// What refining a text takes and gives; refiner.ts is the one that does it.
// Holds no behaviour.

import type { Warning } from '../lib/warning.ts'

/** Which of the settings' three switches are on. */
export type RefinementFlags = { smartCleanup: boolean; selfCorrection: boolean; preserveTechnical: boolean }

export type StyledRefineOptions = {
  /** ISO 639-1; null where it is not known */
  language: string | null
  /** the language as it was asked for, whose script a language model's answer is written in; absent: as it answers */
  written?: string | null
  /** where the text was spoken into; the writing style is chosen by it */
  app: { appName: string | null; appId: string | null; appUrl: string | null }
  /** null leaves the choice to what matches the application */
  writingStyleId: string | null
  /** come before those of the style and of the settings */
  flags: Partial<RefinementFlags> | null
  /** null is as the style says */
  useLlm: boolean | null
  /** null is as the style or the settings say */
  llmModel: string | null
  signal: AbortSignal
  /** taken where nobody says which language it is and the text does not tell; absent: none */
  otherwise?: string | null
}

export type Refined = {
  text: string
  /** `llm_failed`: the text is that of the rules */
  status: 'rules' | 'llm' | 'llm_failed'
  /** the style that was used */
  writingStyleId: string
  flags: RefinementFlags
  /** null where no language model wrote the text */
  llmModel: string | null
  ms: number
  /** what was asked for and could not be done */
  warnings: Warning[]
}

/** What a rule or the model did, with the whole text before and after it. */
export type RefinedStep = { step: string; before: string; after: string }

/** Never throws; when the signal fires, what it gives is of no use. */
export type Refiner = { refine(text: string, options: StyledRefineOptions): Promise<Refined> }
