// The help of a command, from its declaration: what it does, examples, then every argument and option.

import { type ArgumentSpec, type CommandSpec, commonOptionsOf, type Example } from '../command.ts'
import { COMMON_OPTIONS, type OptionSpec, type OptionSpecs } from '../option-specs.ts'

export const PROGRAM = 'dictation'
export const SUMMARY = 'Local Dictation: speech to text on this computer.'

const WIDTH = 100
/** A longer name gets a line of its own. */
const MAX_COLUMN = 26

export function helpOfProgram(commands: readonly CommandSpec[]): string {
  return joined([
    SUMMARY,
    section('Usage', [`${PROGRAM} COMMAND [options]`]),
    section('Commands', rows(commands.filter(isShown).map(({ name, summary }) => [name, summary]))),
    section('Common options', optionRows(COMMON_OPTIONS)),
    `"${PROGRAM} COMMAND --help" describes a command, "${PROGRAM} help exit-codes" and "${PROGRAM} help environment" the rest.`,
  ])
}

/** @param path the names of the command and those above it */
export function helpOf(spec: CommandSpec, path: readonly string[]): string {
  const { summary, details, examples = [], options = {}, commands = [] } = spec
  return joined([
    `${summary}.`,
    section('Usage', [usageOf(spec, path)]),
    section('Examples', exampleLines(examples)),
    details === undefined ? '' : wrapped(details),
    section('Commands', rows(commands.filter(isShown).map(({ name, summary }) => [name, summary]))),
    section('Arguments', rows((spec.arguments ?? []).map((one) => [one.name, helpOfArgument(one)]))),
    section('Options', optionRows(options)),
    spec.commands === undefined ? section('Common options', optionRows(commonOptionsOf(spec))) : '',
  ])
}

export const isShown = ({ isHidden }: CommandSpec): boolean => isHidden !== true

export function usageOf(
  { arguments: taken = [], options = {}, commands }: CommandSpec,
  path: readonly string[],
) {
  const words = taken.map(({ name, isOptional, many }) => {
    const word = `${name}${many ? '...' : ''}`
    return isOptional ? `[${word}]` : word
  })
  const below = commands === undefined ? [] : ['COMMAND']
  const rest = Object.keys(options).length > 0 || commands !== undefined ? ['[options]'] : []
  return [PROGRAM, ...path, ...below, ...words, ...rest].join(' ')
}

/** The name as typed, and what it does. */
export function optionEntries(options: OptionSpecs): [name: string, help: string][] {
  return Object.entries(options)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([name, spec]) => [flagsOf(name, spec), helpOfOption(spec)])
}

const flagsOf = (name: string, { short, value }: OptionSpec): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`

const withChoices = (help: string, choices: readonly string[] | undefined): string => {
  if (choices === undefined) return help
  const [, text = '', fallback = ''] = /^(.*?)(\s*\[[^\]]*\])?$/.exec(help) ?? []
  return `${text}: ${choices.join(', ')}${fallback}`
}

const helpOfOption = ({ help, choices, many }: OptionSpec): string =>
  `${withChoices(help, choices)}${many ? ' (may be repeated)' : ''}`

export const helpOfArgument = ({ help, choices }: ArgumentSpec): string => withChoices(help, choices)

const optionRows = (options: OptionSpecs): string[] => rows(optionEntries(options))

function exampleLines(examples: readonly Example[]): string[] {
  const longest = Math.max(0, ...examples.map(({ command }) => command.length))
  const isAside = examples.every(
    ({ command, meaning }) => longest + meaning.length + 4 <= WIDTH && command !== '',
  )
  return examples.map(({ command, meaning }) =>
    isAside ? `${command.padEnd(longest)}  ${meaning}` : `${command}\n      ${meaning}`,
  )
}

function rows(entries: [name: string, help: string][]): string[] {
  const column = Math.min(MAX_COLUMN, Math.max(0, ...entries.map(([name]) => name.length)))
  const indent = ' '.repeat(column + 4)
  return entries.map(([name, help]) => {
    const lines = wrapped(help, WIDTH - column - 4).split('\n')
    const text = lines.join(`\n${indent}`)
    return name.length > column ? `${name}\n${indent}${text}` : `${name.padEnd(column)}  ${text}`
  })
}

const section = (title: string, lines: string[]): string =>
  lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`

const joined = (parts: string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`

/** Breaks lines at spaces; paragraphs stay apart. */
export function wrapped(text: string, width = WIDTH): string {
  return text
    .split('\n')
    .map((line) => {
      const lines: string[] = ['']
      for (const word of line.split(' ')) {
        const last = lines.at(-1)!
        if (last !== '' && last.length + 1 + word.length > width) lines.push(word)
        else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
      }
      return lines.join('\n')
    })
    .join('\n')
}
