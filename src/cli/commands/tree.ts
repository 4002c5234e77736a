// All commands, in the order of the help.

import { IN_EXECUTABLE } from '../../lib/own-files.ts'
import type { CommandSpec } from '../command.ts'
import { CAPTURES } from './captures.ts'
import { DECODER } from './decoder.ts'
import { DICTATE, TOGGLE } from './dictate.ts'
import { DICTIONARY_COMMANDS } from './dictionary.ts'
import { REBUILD, VERIFY } from './folder.ts'
import { GPU } from './gpu.ts'
import { IMPORT, WATCH } from './import.ts'
import { JOBS } from './jobs.ts'
import { LICENSES } from './licenses.ts'
import { MCP } from './mcp.ts'
import { MODELS } from './models.ts'
import { RECORD } from './record.ts'
import { RETRANSCRIBE } from './retranscribe.ts'
import { SERVER } from './server.ts'
import { API, DOCTOR, OPEN, WELCOME } from './service.ts'
import { SETTINGS } from './settings.ts'
import { COMPLETE, COMPLETION, HELP, MAN } from './shell.ts'
import { STATS } from './statistics.ts'
import { STYLES } from './styles.ts'
import { REFINE, RUN } from './texts.ts'
import { TRANSCRIBE } from './transcribe.ts'
import { WORKER } from './worker.ts'

export const COMMANDS: readonly CommandSpec[] = [
  TRANSCRIBE,
  RECORD,
  DICTATE,
  TOGGLE,
  IMPORT,
  WATCH,
  CAPTURES,
  RETRANSCRIBE,
  REFINE,
  RUN,
  DICTIONARY_COMMANDS,
  STYLES,
  STATS,
  SETTINGS,
  JOBS,
  MODELS,
  DECODER,
  GPU,
  SERVER,
  WORKER,
  OPEN,
  DOCTOR,
  VERIFY,
  REBUILD,
  API,
  MCP,
  // In a checkout each package has its own.
  ...(IN_EXECUTABLE ? [LICENSES] : []),
  COMPLETION,
  MAN,
  HELP,
  WELCOME,
  COMPLETE,
]

/** What runs without arguments. */
export const DEFAULT_ARGS: readonly string[] = [WELCOME.name]
