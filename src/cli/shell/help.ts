// dictation help: a topic, or a command. With --json, the declarations themselves.

import { closestWord, didYouMean } from '../../lib/did-you-mean.ts'
import { type CommandSpec, commonOptionsOf, type Given } from '../command.ts'
import type { OptionSpecs } from '../option-specs.ts'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import { helpOf, helpOfProgram, isShown, usageOf } from '../terminal/help-text.ts'
import type { Tools } from '../tools.ts'
import { environmentData, environmentText, exitCodesData, exitCodesText } from './topics.ts'

type Topic = { text: () => string; data: () => unknown }

export async function helpTopic({ report, env }: Tools, { args, tree }: Given): Promise<number> {
  const topics: Record<string, Topic> = {
    'exit-codes': { text: () => `Exit codes:\n${exitCodesText}\n`, data: () => exitCodesData },
    environment: { text: () => `${environmentText(env)}\n`, data: () => environmentData(env) },
  }
  const [first] = args
  const program: Topic = {
    text: () => helpOfProgram(tree),
    data: () => ({ commands: tree.filter(isShown).map((spec) => dataOf(spec, [spec.name])) }),
  }
  const { text, data } = first === undefined ? program : (topics[first] ?? topicOfCommand(args, tree, topics))
  report.answer(data(), () => text().trimEnd())
  return EXIT.done
}

function topicOfCommand(path: string[], tree: readonly CommandSpec[], topics: object): Topic {
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
  return { text: () => helpOf(found!, path), data: () => dataOf(found!, path) }
}

/** @param path the names of the command and those above it */
function dataOf(spec: CommandSpec, path: readonly string[]): object {
  const { summary, details, arguments: taken = [], examples = [], commands } = spec
  const about = { command: path.join(' '), summary, ...(details !== undefined && { details }) }
  if (commands !== undefined)
    return { ...about, commands: commands.filter(isShown).map((one) => dataOf(one, [...path, one.name])) }
  return {
    ...about,
    usage: usageOf(spec, path),
    arguments: taken,
    options: optionData({ ...spec.options, ...commonOptionsOf(spec) }),
    examples: examples.map(({ command, meaning }) => ({ command, meaning })),
  }
}

const optionData = (options: OptionSpecs) =>
  Object.entries(options).flatMap(([name, { hidden, ...option }]) =>
    hidden ? [] : [{ name: `--${name}`, ...option }],
  )
