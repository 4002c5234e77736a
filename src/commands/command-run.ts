// The types of a command run: request, effect and outcome; and the effects: success, no change and failure.

export const RUN_STATUSES = [
  'succeeded',
  'no_match',
  'no_text',
  'no_changes',
  'too_long',
  'unsupported',
  'timeout',
  'failed',
  'canceled',
] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

export const COMMAND_KINDS = ['transform', 'insert', 'action'] as const
export type CommandKind = (typeof COMMAND_KINDS)[number]

export const RUN_TARGETS = ['replace_selection', 'insert', 'clipboard', 'none'] as const
export type RunTarget = (typeof RUN_TARGETS)[number]

/** The application and the text around the selection, as the client sent them. */
export type RunContext = {
  appName: string | null
  appId: string | null
  windowTitle: string | null
  url: string | null
  /** the text before and after the selection */
  before: string | null
  after: string | null
}

/** The user's writing style, for the language model. */
export type RunStyle = { name: string; tone: string; instructions: string }

export type RunRequest = {
  instruction: string
  /** the transcribed instruction; null if the client sent text */
  transcript: string | null
  selectedText: string
  context: RunContext
  style: RunStyle | null
  /** ISO 639-1 of the text; null if unknown */
  language: string | null
  /** name of the language model; null for the one in the settings */
  model: string | null
  /** adds nothing to the history and counts no use */
  dryRun: boolean
  /** for the language model */
  timeoutMs: number
  /** performance.now() when the work on this request began */
  startedAtMs: number
  signal: AbortSignal
}

export type RunOutcome = {
  /** UUIDv7 */
  id: string
  status: RunStatus
  kind: CommandKind
  /** `id` is set for saved commands only; `name` is that of the matched command */
  command: { id: string | null; name: string | null; instruction: string }
  input: string
  /** the input, unless the status is `succeeded` */
  output: string
  changed: boolean
  target: RunTarget
  /** keys to press in this order, after the text has been inserted */
  keys: string[]
  usedLlm: boolean
  /** name of the language model that was called; null if none was */
  model: string | null
  transcript: string | null
  durationMs: number
  error: { code: string; message: string } | null
  createdAt: Date
}

/** What a command does, before it becomes an outcome. */
export type RunEffect = Pick<
  RunOutcome,
  'status' | 'kind' | 'output' | 'target' | 'keys' | 'usedLlm' | 'model' | 'error'
> & { commandId: string | null; name: string | null }

const NOTHING: Omit<RunEffect, 'status' | 'output'> = {
  ...{ kind: 'transform', target: 'none', keys: [], error: null },
  ...{ usedLlm: false, model: null, commandId: null, name: null },
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
