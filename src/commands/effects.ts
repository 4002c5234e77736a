// Builds the effects of a command: success, no change, and failure. Only a success changes the text.

import type { RunEffect, RunStatus } from './command-run.ts'

const NOTHING: Omit<RunEffect, 'status' | 'output'> = {
  kind: 'transform',
  target: 'none',
  keys: [],
  usedLlm: false,
  model: null,
  error: null,
  commandId: null,
  name: null,
}

type Named = Pick<RunEffect, 'name'> & Partial<RunEffect>

export const pressing = (input: string, keys: string[], more: Named): RunEffect => ({
  ...NOTHING,
  status: 'succeeded',
  kind: 'action',
  output: input,
  keys,
  ...more,
})

export const insertion = (text: string, more: Named): RunEffect => ({
  ...NOTHING,
  status: 'succeeded',
  kind: 'insert',
  output: text,
  target: 'insert',
  ...more,
})

/** If the output equals the input, the effect is `no_changes` and replaces nothing. */
export function changedText(input: string, output: string, more: Named): RunEffect {
  if (output === input) return { ...NOTHING, ...more, status: 'no_changes', output: input, target: 'none' }
  return { ...NOTHING, status: 'succeeded', output, target: 'replace_selection', ...more }
}

type Failure = { status: Exclude<RunStatus, 'succeeded' | 'no_changes'>; code?: string; message: string }

/** Leaves the text as it is; `code` defaults to the status. */
export const unchanged = (
  input: string,
  { status, code = status, message }: Failure,
  more: Partial<RunEffect> = {},
): RunEffect => ({
  ...NOTHING,
  ...more,
  status,
  output: input,
  target: 'none',
  keys: [],
  error: { code, message },
})
