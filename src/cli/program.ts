// Parses a command line with commander, built from the tree of declarations, and runs the action.

import { Argument, Command, CommanderError, Option } from 'commander'
import type { Environment } from '../config.ts'
import { closestWord, didYouMean } from '../lib/did-you-mean.ts'
import { systemReason } from '../lib/os-errors.ts'
import { type ArgumentSpec, type CommandSpec, refusedOptions } from './command.ts'
import { COMMANDS, DEFAULT_ARGS } from './commands/tree.ts'
import { isNpmScript, npmHint, takenByNpm } from './npm-options.ts'
import { COMMON_OPTIONS, type CommonOptions, type OptionSpec, type OptionSpecs } from './option-specs.ts'
import { EXIT } from './terminal/exit.ts'
import { CommandFailure, failureText, UsageError } from './terminal/failure.ts'
import { helpOf, helpOfProgram, PROGRAM, SUMMARY } from './terminal/help-text.ts'
import { createReport } from './terminal/report.ts'

export type Invocation = { args: readonly string[]; env: Environment; version: string }

/** @returns the exit code */
export async function runProgram({ args, env, version }: Invocation): Promise<number> {
  let code: number = EXIT.done
  const program = programOf(version, async (spec, command) => {
    code = await runCommand({ spec, command, env })
  })
  try {
    await program.parseAsync(args.length === 0 ? DEFAULT_ARGS : args, { from: 'user' })
    return code
  } catch (error) {
    const failure = error instanceof CommanderError ? usageOf(error) : (systemFailure(error) ?? error)
    if (failure === null) return EXIT.done
    if (!(failure instanceof CommandFailure)) throw error
    const { message, code, exitCode } = failure
    const hint = failure.hint ?? (await usualHint(code, args, env))
    const isJson = args.includes('--json')
    process.stderr.write(failureText({ message, code, exitCode, hint }, isJson))
    return exitCode
  }
}

/** A file that cannot be read or written, a full disk, … */
function systemFailure(error: unknown): CommandFailure | null {
  if (!(error instanceof Error) || !('syscall' in error)) return null
  const path = 'path' in error ? `${error.path}: ` : ''
  return new CommandFailure(`${path}${systemReason(error)}.`, { code: 'system_error', cause: error })
}

async function usualHint(code: string, args: readonly string[], env: Environment): Promise<string | null> {
  if (code === 'usage') return usageHint(args, env)
  if (code !== 'unauthorized') return null
  return (await import('./connection/sent-token.ts')).whereTokenIsRead(env)
}

/** Where the usage of the command is described. */
function usageHint(args: readonly string[], env: Environment): string {
  let commands = COMMANDS
  let spec: CommandSpec | undefined
  const path: string[] = []
  for (const word of args) {
    const found = commands.find(({ name }) => name === word)
    if (found === undefined) continue
    path.push(word)
    spec = found
    commands = found.commands ?? []
  }
  if (isNpmScript(spec?.npmScript, env)) return npmHint(spec!.npmScript!)
  return `${[PROGRAM, ...path].join(' ')} --help shows the usage.`
}

type OnCommand = (spec: CommandSpec, command: Command) => Promise<void>

/** Also for the completion, which walks it. */
export function programOf(version: string, onCommand: OnCommand): Command {
  const program = prepared(new Command(PROGRAM), COMMON_OPTIONS, helpOfProgram(COMMANDS))
  program.description(SUMMARY).version(version, '--version', 'show the version')
  for (const spec of COMMANDS)
    program.addCommand(commandOf(spec, [], onCommand), { hidden: spec.isHidden === true })
  return program
}

function commandOf(spec: CommandSpec, above: string[], onCommand: OnCommand): Command {
  const path = [...above, spec.name]
  const command = prepared(new Command(spec.name), { ...spec.options, ...COMMON_OPTIONS }, helpOf(spec, path))
  command.description(spec.summary)
  for (const argument of spec.arguments ?? []) command.addArgument(argumentOf(argument))
  for (const one of spec.commands ?? [])
    command.addCommand(commandOf(one, path, onCommand), { hidden: one.isHidden === true })
  if (spec.load !== undefined) command.action(() => onCommand(spec, command))
  return command
}

function prepared(command: Command, options: OptionSpecs, help: string): Command {
  command.exitOverride().helpCommand(false).helpOption('-h, --help')
  command.configureHelp({ formatHelp: () => help })
  // The failure is written once, by runProgram.
  command.configureOutput({ outputError: () => {} })
  const flags = new Set(Object.keys(options).map((name) => `--${name}`))
  for (const [name, option] of Object.entries(options))
    if (name !== 'help') command.addOption(optionOf(name, option, flags))
  return command
}

function argumentOf({ name, help, isOptional, many, choices }: ArgumentSpec): Argument {
  const dots = many ? '...' : ''
  const argument = new Argument(isOptional ? `[${name}${dots}]` : `<${name}${dots}>`, help)
  if (choices === undefined) return argument
  argument.choices(choices)
  return argument.argParser((value) => chosen(value, name, choices))
}

/** @param known the flags of the command: one right after an option is hardly meant as its value */
function optionOf(
  name: string,
  { value, short, help, choices, many, hidden }: OptionSpec,
  known: ReadonlySet<string>,
): Option {
  const flags = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`
  const option = new Option(flags, help).hideHelp(hidden === true)
  if (choices !== undefined) option.choices(choices)
  if (value !== undefined)
    option.argParser((text, earlier: string | string[] | undefined) => {
      if (text === '' || known.has(text)) throw new UsageError(`--${name} needs a value.`)
      const given = choices === undefined ? text : chosen(text, `--${name}`, choices)
      if (many) return [...(Array.isArray(earlier) ? earlier : []), given]
      if (earlier !== undefined) throw new UsageError(`--${name} is given twice.`)
      return given
    })
  return option
}

function chosen(text: string, name: string, choices: readonly string[]): string {
  if (choices.includes(text)) return text
  const meant = didYouMean(closestWord(text, choices))
  throw new UsageError(
    `${name} must be one of ${choices.join(', ')}, not ${text}${meant === '' ? '.' : meant}`,
  )
}

type CommandRun = { spec: CommandSpec; command: Command; env: Environment }

async function runCommand({ spec, command, env }: CommandRun): Promise<number> {
  const all: Record<string, unknown> = command.optsWithGlobals()
  const options = valuesOf(spec.options ?? {}, all)
  const common = valuesOf(COMMON_OPTIONS, all) as CommonOptions
  const report = createReport({
    stdout: process.stdout,
    stderr: process.stderr,
    hasEvents: spec.stdout === 'events',
    isJson: common.json === true,
    isQuiet: common.quiet === true,
    hasProgress: common['no-progress'] !== true,
  })
  try {
    const isFromNpm = isNpmScript(spec.npmScript, env)
    const taken = isFromNpm ? takenByNpm({ ...spec.options, ...COMMON_OPTIONS }, all, env) : null
    if (taken !== null) throw new UsageError(taken)
    for (const [name, reason] of Object.entries(refusedOptions(spec)))
      if (name in common) throw new UsageError(`--${name} does not apply: ${reason}.`)
    const [{ createTools }, act] = await Promise.all([import('./tools.ts'), spec.load!()])
    const tools = createTools({ env, report, common })
    return await act(tools, { args: command.args, options: options as never, tree: COMMANDS })
  } catch (error) {
    if (error instanceof CommandFailure && error.code !== 'usage')
      report.event('failed', { code: error.code, message: error.message })
    throw error
  }
}

/** Under the names as typed; commander has them in camel case, and `--no-progress` as `progress: false`. */
function valuesOf(specs: OptionSpecs, all: Record<string, unknown>): Record<string, unknown> {
  const given = Object.keys(specs).flatMap((name) => {
    const value = name.startsWith('no-') ? all[camelCase(name.slice(3))] === false : all[camelCase(name)]
    return value === undefined || value === false ? [] : [[name, value]]
  })
  return Object.fromEntries(given)
}

const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** Null for --help and --version, which commander reports as errors, too. */
function usageOf({ code, message, exitCode }: CommanderError): UsageError | null {
  if (exitCode === 0) return null
  if (code === 'commander.help') return new UsageError('Name one of these commands.')
  const [what = '', suggestion] = message.replace(/^error: /, '').split(/\n\(|\)$/)
  const sentence = what.replaceAll("'", '').replace(/\.$/, '')
  return new UsageError(`${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`, suggestion || null)
}
