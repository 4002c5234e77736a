// dictation completion: scripts for the shells, which call `dictation complete` for each press of the tab key.

import { type Command, type Complete, RootCommand, script } from '@bomb.sh/tab'
import { type CommandSpec, commonOptionsOf, type Given } from '../command.ts'
import { COMMON_OPTIONS, type OptionSpecs } from '../option-specs.ts'
import { EXIT } from '../terminal/exit.ts'
import { isShown, PROGRAM } from '../terminal/help-text.ts'
import type { Tools } from '../tools.ts'
import { createKnownValues, type ValuesOf } from './known-values.ts'

export async function completionScript({ report }: Tools, { args }: Given): Promise<number> {
  const [shell] = args
  script(shell!, PROGRAM, PROGRAM)
  if (shell === 'bash') report.result(BASH_MORE)
  return EXIT.done
}

/**
 * The package's script needs a function of the bash-completion project, which macOS does not have, and registers its
 * own without a fallback to file names. The last registration counts.
 */
const BASH_MORE = `
type _get_comp_words_by_ref &>/dev/null || _get_comp_words_by_ref() {
    cword=$COMP_CWORD words=("\${COMP_WORDS[@]}") cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
}
complete -o default -F __${PROGRAM}_complete ${PROGRAM}
`

export async function completions({ report, env }: Tools, { args, tree }: Given): Promise<number> {
  const root = new RootCommand()
  const valuesOf = createKnownValues(env)
  addOptions(root, COMMON_OPTIONS, valuesOf)
  for (const spec of tree) addCommand(root, spec, { above: [], valuesOf })
  // The package always says that no file name can follow. Here one can, wherever nothing else does.
  Object.assign(root, {
    complete(word: string) {
      const typed = word.includes('=') ? word.slice(word.indexOf('=') + 1) : word
      const found = new Map(root.completions.map(({ value, description = '' }) => [value, description]))
      const lines = [...found].filter(([value]) => value.startsWith(typed)).map((line) => line.join('\t'))
      report.result(`${[...lines, `:${lines.length > 0 ? NO_FILES : 0}`].join('\n')}\n`)
    },
  })
  root.parse([...args])
  return EXIT.done
}

/** ShellCompDirectiveNoFileComp */
const NO_FILES = 4

type Place = { above: string[]; valuesOf: ValuesOf }

function addCommand(root: RootCommand, spec: CommandSpec, { above, valuesOf }: Place): void {
  if (!isShown(spec)) return
  const path = [...above, spec.name]
  const command = root.command(path.join(' '), spec.summary)
  addOptions(command, { ...spec.options, ...commonOptionsOf(spec) }, valuesOf)
  for (const argument of spec.arguments ?? [])
    command.argument(
      argument.name,
      offer(() => valuesOf(argument)),
      argument.many === true,
    )
  for (const one of spec.commands ?? []) addCommand(root, one, { above: path, valuesOf })
}

function addOptions(command: Command, options: OptionSpecs, valuesOf: ValuesOf): void {
  for (const [name, option] of Object.entries(options)) {
    const { help, short, value, hidden } = option
    if (hidden) continue
    if (value === undefined) command.option(name, help, short)
    else
      command.option(
        name,
        help,
        offer(() => valuesOf(option)),
        short,
      )
  }
}

const offer = (values: () => readonly string[]) => (complete: Complete) => {
  for (const value of values()) complete(value, '')
}
