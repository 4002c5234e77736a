// All commands, in the order of the help.

import type { CommandSpec } from '../command.ts'
import { REBUILD, VERIFY } from './folder.ts'
import { IMPORT, WATCH } from './import.ts'
import { MCP } from './mcp.ts'
import { MODELS } from './models.ts'
import { RETRANSCRIBE } from './retranscribe.ts'
import { SERVER } from './server.ts'
import { API, DOCTOR, OPEN, WELCOME } from './service.ts'
import { COMPLETE, COMPLETION, HELP, MAN } from './shell.ts'
import { TRANSCRIBE } from './transcribe.ts'

export const COMMANDS: readonly CommandSpec[] = [
  TRANSCRIBE,
  IMPORT,
  WATCH,
  RETRANSCRIBE,
  MODELS,
  SERVER,
  OPEN,
  DOCTOR,
  VERIFY,
  REBUILD,
  API,
  MCP,
  COMPLETION,
  MAN,
  HELP,
  WELCOME,
  COMPLETE,
]

/** What runs without arguments. */
export const DEFAULT_ARGS: readonly string[] = [WELCOME.name]
