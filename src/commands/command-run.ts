// What running a command takes and gives.
// Holds no behaviour.

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

/** Where the text stands; each part as the client told it. */
export type RunContext = {
  appName: string | null
  appId: string | null
  windowTitle: string | null
  url: string | null
  /** the text before and behind the selection */
  before: string | null
  after: string | null
}

/** How the person likes to write, for a language model. */
export type RunStyle = { name: string; tone: string; instructions: string }

export type RunRequest = {
  instruction: string
  /** the instruction as it was heard; null where it was not spoken to this server now */
  transcript: string | null
  selectedText: string
  context: RunContext
  style: RunStyle | null
  /** ISO 639-1 of the text; null where it is not known */
  language: string | null
  /** of the language model; null is the one that the settings name */
  model: string | null
  /** leaves no trace */
  dryRun: boolean
  /** for the language model */
  timeoutMs: number
  /** when the work on this request began, as performance.now() has it */
  startedAtMs: number
  signal: AbortSignal
}

export type RunOutcome = {
  /** UUIDv7 */
  id: string
  status: RunStatus
  kind: CommandKind
  /** `id` only of saved ones, `name` of what was understood */
  command: { id: string | null; name: string | null; instruction: string }
  input: string
  /** the input, unless the status is `succeeded` */
  output: string
  changed: boolean
  target: RunTarget
  /** to be pressed one after the other, after the text is in its place */
  keys: string[]
  usedLlm: boolean
  /** of the language model that was asked; null where none was */
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
