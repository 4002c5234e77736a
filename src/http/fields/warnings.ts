// What a request asked for and the engine in use cannot honour: told beside the result, never a reason to refuse.
// Used wherever something is transcribed.

import { Type } from '@sinclair/typebox'
import type { EngineInfo } from '../../engine/engine.ts'
import type { Warning } from '../../lib/warning.ts'
import { strictObject } from '../contract/schema.ts'

const WarningSchema = strictObject(
  { code: Type.String(), message: Type.String() },
  {
    $id: 'Warning',
    description: 'What was asked for and could not be honoured, or what a person has to know.',
  },
)

export const warningsField = Type.Array(WarningSchema)

export function warningsOf(
  engine: EngineInfo,
  asked: { prompt?: string | null | undefined; words?: boolean },
): Warning[] {
  const warnings: Warning[] = []
  if (asked.prompt && !engine.prompt) {
    const message = `The engine in use (${engine.name}) cannot take a prompt; it was ignored.`
    warnings.push({ code: 'prompt_ignored', message })
  }
  if (asked.words && !engine.wordTimes) {
    const message = `The engine in use (${engine.name}) gives no times of words; there are none.`
    warnings.push({ code: 'word_timestamps_ignored', message })
  }
  return warnings
}

/** For the document. */
export const warningExample: Warning = {
  code: 'prompt_ignored',
  message: 'The engine in use (whisper.cpp) cannot take a prompt; it was ignored.',
}
