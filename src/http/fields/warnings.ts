// Warnings for options that the engine does not support. The request still succeeds.

import { Type } from '@sinclair/typebox'
import type { EngineInfo } from '../../engine/engine.ts'
import type { Warning } from '../../lib/warning.ts'
import { strictObject } from '../contract/schema.ts'

const WarningSchema = strictObject(
  { code: Type.String(), message: Type.String() },
  {
    $id: 'Warning',
    description: 'An option that could not be applied, or something the user should know.',
  },
)

export const warningsField = Type.Array(WarningSchema)

export function warningsOf(
  engine: EngineInfo,
  asked: { prompt?: string | null | undefined; words?: boolean },
): Warning[] {
  const warnings: Warning[] = []
  if (asked.prompt && !engine.prompt) {
    const message = `The engine in use (${engine.name}) does not support prompts; the prompt was ignored.`
    warnings.push({ code: 'prompt_ignored', message })
  }
  if (asked.words && !engine.wordTimes) {
    const message = `The engine in use (${engine.name}) does not support word timestamps; the result has none.`
    warnings.push({ code: 'word_timestamps_ignored', message })
  }
  return warnings
}

/** For the OpenAPI document. */
export const warningExample: Warning = {
  code: 'prompt_ignored',
  message: 'The engine in use (whisper.cpp) does not support prompts; the prompt was ignored.',
}
