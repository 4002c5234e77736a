// dictation man: the manual page, from the tree of declarations.

import packageJson from '../../../package.json' with { type: 'json' }
import type { CommandSpec, Given } from '../command.ts'
import { COMMON_OPTIONS, type OptionSpecs } from '../option-specs.ts'
import { EXIT } from '../terminal/exit.ts'
import { helpOfArgument, isShown, optionEntries, PROGRAM, SUMMARY, usageOf } from '../terminal/help-text.ts'
import type { Tools } from '../tools.ts'
import { exitCodesText, VARIABLES } from './topics.ts'

export async function manPage({ report }: Tools, { tree }: Given): Promise<number> {
  const [name, what] = SUMMARY.replace(/\.$/, '').split(': ')
  report.result(
    [
      `.TH ${PROGRAM.toUpperCase()} 1 "" "${name} ${packageJson.version}" "User Commands"`,
      '.SH NAME',
      `${PROGRAM} \\- ${roff(what!)}`,
      '.SH SYNOPSIS',
      `.B ${PROGRAM}`,
      '.I COMMAND',
      '[options]',
      '.SH COMMANDS',
      ...tree.filter(isShown).flatMap((spec) => commandLines(spec, [])),
      '.SH COMMON OPTIONS',
      ...optionLines(COMMON_OPTIONS),
      '.SH ENVIRONMENT',
      ...VARIABLES.flatMap(([name, meaning]) => ['.TP', `.B ${roff(name)}`, roff(meaning)]),
      `.PP\n"${PROGRAM} help environment" lists the settings of the server.`,
      '.SH EXIT STATUS',
      '.nf',
      roff(exitCodesText),
      '.fi\n',
    ].join('\n'),
  )
  return EXIT.done
}

function commandLines(spec: CommandSpec, above: string[]): string[] {
  const path = [...above, spec.name]
  if (spec.commands !== undefined)
    return spec.commands.filter(isShown).flatMap((one) => commandLines(one, path))
  const { summary, details, arguments: taken = [], options = {}, examples = [] } = spec
  return [
    `.SS ${roff(usageOf(spec, path))}`,
    `${roff(summary)}.`,
    ...(details === undefined ? [] : ['.PP', roff(details).replaceAll('\n', '\n.br\n')]),
    ...taken.flatMap((one) => ['.TP', `.I ${roff(one.name)}`, roff(helpOfArgument(one))]),
    ...optionLines(options),
    ...examples.flatMap(({ command, meaning }) => ['.PP', `${roff(meaning)}:`, '.br', `.B ${roff(command)}`]),
  ]
}

const optionLines = (options: OptionSpecs): string[] =>
  optionEntries(options).flatMap(([name, help]) => ['.TP', `.B ${roff(name)}`, roff(help)])

/** A backslash escapes, a dash would become a hyphen, and a dot or a quote at the beginning of a line is a request. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
