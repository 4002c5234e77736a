// dictation help: a topic, or a command.

import { closestWord, didYouMean } from '../../lib/did-you-mean.ts'
import type { CommandSpec, Given } from '../command.ts'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import { helpOf, helpOfProgram, isShown } from '../terminal/help-text.ts'
import type { Tools } from '../tools.ts'
import { EXIT_CODES, environmentText } from './topics.ts'

export async function helpTopic({ report, env }: Tools, { args, tree }: Given): Promise<number> {
  const topics: Record<string, () => string> = {
    'exit-codes': () => `Exit codes:\n${EXIT_CODES}\n`,
    environment: () => `${environmentText(env)}\n`,
  }
  const [first] = args
  report.result(
    first === undefined ? helpOfProgram(tree) : (topics[first]?.() ?? helpOfCommand(args, tree, topics)),
  )
  return EXIT.done
}

function helpOfCommand(path: string[], tree: readonly CommandSpec[], topics: object): string {
  let below = tree
  let found: CommandSpec | undefined
  for (const word of path) {
    found = below.find(({ name }) => name === word)
    if (found === undefined) {
      const known = below.filter(isShown).map(({ name }) => name)
      const meant = didYouMean(closestWord(word, [...known, ...Object.keys(topics)]))
      throw new UsageError(`There is no command or topic ${path.join(' ')}${meant === '' ? '.' : meant}`)
    }
    below = found.commands ?? []
  }
  return helpOf(found!, path)
}
