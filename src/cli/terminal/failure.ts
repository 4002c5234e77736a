// What ends a command early: a sentence, what to do about it, and the exit code.

import { EXIT } from './exit.ts'

export class CommandFailure extends Error {
  /** stable, for programs: a problem code of the server, or one of ours */
  readonly code: string
  readonly exitCode: number
  readonly hint: string | null
  constructor(
    message: string,
    {
      code = 'failed',
      exitCode = EXIT.failed,
      hint = null,
      cause,
    }: { code?: string; exitCode?: number; hint?: string | null; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.exitCode = exitCode
    this.hint = hint
  }
}

/** Wrong arguments or options. The default hint points to --help. */
export class UsageError extends CommandFailure {
  constructor(message: string, hint: string | null = null, exitCode: number = EXIT.usage) {
    super(message, { code: 'usage', exitCode, hint })
  }
}

/** `error: what` and `hint: what to do`, or one JSON object for programs. */
export function failureText(
  { message, hint, code, exitCode }: Pick<CommandFailure, 'message' | 'hint' | 'code' | 'exitCode'>,
  isJson: boolean,
): string {
  if (isJson)
    return `${JSON.stringify({ code, detail: message, ...(hint !== null && { hint }), exit_code: exitCode })}\n`
  return `error: ${message}\n${hint === null ? '' : `hint: ${hint}\n`}`
}
