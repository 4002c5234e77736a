// The declaration of a command. One tree of declarations (commands/tree.ts) is the source of the parser, the help, the
// man page, the completion, and the test that runs every example.
//
// To add a command:
// 1. Declare it with `defineCommand` in the file of its noun in `commands/`, and list a new noun in `commands/tree.ts`.
//    Declarations import nothing but this file, option-specs.ts and constants, so that `dictation --help` starts fast.
// 2. Write its action in a folder of its own: `export async function act(tools: Tools, given: Given<Options>)`, which
//    returns the exit code. `tools` (tools.ts) has the server, the output, and the environment. An action writes data
//    through `report.result`, sentences for the user through `report.note` and `report.say`, and never exits, reads
//    the environment, or writes to `process.stdout` itself. It throws a `UsageError` or another `CommandFailure`.
// 3. Give it examples. The test of the examples runs them against a real server; see `Example`.

import {
  COMMON_OPTIONS,
  type CommonOptions,
  type KnownValues,
  type OptionSpecs,
  type OptionValues,
} from './option-specs.ts'
import type { Tools } from './tools.ts'

export type ArgumentSpec = {
  /** uppercase, as in the usage: FILE */
  name: string
  help: string
  isOptional?: true
  /** only for the last one */
  many?: true
  choices?: readonly string[]
  known?: KnownValues
}

export type Given<Options = Record<never, never>> = {
  args: string[]
  options: Options
  /** all commands, for the help and the completion */
  tree: readonly CommandSpec[]
}

export type Example = {
  /** what a user types, with `dictation`; the test of the examples runs it in a folder with memo.flac, interviews/, notes.txt and words.csv */
  command: string
  meaning: string
  /** why the test only parses it: it opens a window, needs a microphone, changes the computer, … */
  notRun?: string
}

export type CommandSpec = {
  name: string
  /** one line, as in the list of commands: "Transcribe recordings" */
  summary: string
  /** further paragraphs of the help */
  details?: string
  arguments?: readonly ArgumentSpec[]
  options?: OptionSpecs
  examples?: readonly Example[]
  /**
   * What stdout is for: the `result` (default); `events` for programs, a line of JSON each, if stdout is not a
   * terminal; or a `document` in a format of its own.
   */
  stdout?: 'result' | 'events' | 'document'
  /** an npm script with this name runs it: `npm run import` */
  npmScript?: string
  isHidden?: true
  /** what it works on: a server (default), the data folder of this computer, or neither */
  needs?: 'server' | 'folder' | 'nothing'
  /** either commands below this one, */
  commands?: readonly CommandSpec[]
  /** or the action */
  load?: () => Promise<Action>
}

export type Action = (tools: Tools, given: Given<never>) => Promise<number>

type Refused = Partial<Record<keyof CommonOptions, string>>

/** The common options that mean nothing to the command, each with the reason. */
export function refusedOptions({ needs, stdout }: CommandSpec): Refused {
  const reason = {
    server: null,
    folder: "this command works on this computer's data folder",
    nothing: 'this command uses no server',
  }[needs ?? 'server']
  return {
    ...(reason !== null && { server: reason, 'trust-server': reason, patience: reason }),
    ...(stdout === 'document' && { json: 'this command prints a text in a format of its own' }),
  }
}

/** The common options without those. */
export function commonOptionsOf(spec: CommandSpec): OptionSpecs {
  const refused = refusedOptions(spec)
  return Object.fromEntries(Object.entries(COMMON_OPTIONS).filter(([name]) => !(name in refused)))
}

/** Checks that the action accepts the declared options. */
export const defineCommand = <const O extends OptionSpecs = Record<never, never>>(
  spec: Omit<CommandSpec, 'options' | 'commands' | 'load'> & {
    options?: O
    load: () => Promise<(tools: Tools, given: Given<OptionValues<O>>) => Promise<number>>
  },
): CommandSpec => spec as unknown as CommandSpec

/** A noun: a command with commands below it. */
export const defineNoun = (spec: {
  name: string
  summary: string
  details?: string
  commands: readonly CommandSpec[]
}): CommandSpec => spec
