// The few shapes that the effect of a command has: done, nothing to do, and the ways to fail.
// In every one but "done" the text stays as it was.

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

/** A result that is the input is no change, and there is nothing to replace. */
export function changedText(input: string, output: string, more: Named): RunEffect {
  if (output === input) return { ...NOTHING, ...more, status: 'no_changes', output: input, target: 'none' }
  return { ...NOTHING, status: 'succeeded', output, target: 'replace_selection', ...more }
}

type Failure = { status: Exclude<RunStatus, 'succeeded' | 'no_changes'>; code?: string; message: string }

/** The text stays; `code` is the status where nothing is more exact. */
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
