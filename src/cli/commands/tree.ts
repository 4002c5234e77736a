// All commands, in the order of the help.

import type { CommandSpec } from '../command.ts'
import { CAPTURES } from './captures.ts'
import { DICTATE, TOGGLE } from './dictate.ts'
import { DICTIONARY_COMMANDS } from './dictionary.ts'
import { REBUILD, VERIFY } from './folder.ts'
import { IMPORT, WATCH } from './import.ts'
import { JOBS } from './jobs.ts'
import { MODELS } from './models.ts'
import { RECORD } from './record.ts'
import { RETRANSCRIBE } from './retranscribe.ts'
import { SETTINGS } from './settings.ts'
import { STATS } from './statistics.ts'
import { STYLES } from './styles.ts'
import { REFINE, RUN } from './texts.ts'
import { TRANSCRIBE } from './transcribe.ts'

export const PROGRAM = 'dictation'
export const SUMMARY = 'Local Dictation: speech to text on this computer.'

/** What runs without arguments. */
export const DEFAULT_ARGS: readonly string[] = ['--help']

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
  VERIFY,
  REBUILD,
]
