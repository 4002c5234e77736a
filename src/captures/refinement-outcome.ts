// What a refinement leaves in its capture: the refined text, and how it came about.
// What was heard stays as it is.

import type { Refined } from '../writing/refined.ts'
import type { Capture } from './capture.ts'
import { countWords } from './words.ts'

export const refinedAs = ({ processingMs }: Pick<Capture, 'processingMs'>, refined: Refined) => ({
  transcriptRefined: refined.text,
  refinementStatus: refined.status,
  refinementFlags: refined.flags,
  writingStyleId: refined.writingStyleId,
  llmModel: refined.llmModel,
  wordCount: countWords(refined.text),
  processingMs: { ...processingMs, refine: Math.round(refined.ms) },
})
