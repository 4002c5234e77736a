// The options that a script was started with, and all that is wrong with them at once, in sentences for a person.
// What the options mean is the script's.

import { type ParseArgsConfig, parseArgs } from 'node:util'
import { asSentence, closestWord, didYouMean } from '../../src/lib/did-you-mean.ts'
import { fail, type Result, succeed } from '../../src/lib/result.ts'

export type Options = NonNullable<ParseArgsConfig['options']>

export type Given<O extends Options> = Pick<
  ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>,
  'values' | 'positionals'
>

/** Failures are a line for each fault. What is no option stands among the positionals, which are the caller's to check. */
export function readOptions<const O extends Options>(
  options: O,
  args: string[] = process.argv.slice(2),
): Result<Given<O>, string> {
  // Not strict: that stops at the first fault, and tells it in the words of a programmer.
  const { values, positionals, tokens } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const given = tokens.filter((token) => token.kind === 'option')
  const faults = given.flatMap((token, index) => {
    const { name, rawName, value, inlineValue } = token
    const option = Object.hasOwn(options, name) ? options[name] : undefined
    if (option === undefined)
      return [asSentence(`${rawName} is no option${didYouMean(nearestOption(name, options))}`)]
    if (given.findIndex((other) => other.name === name) < index) return [`${rawName} is given twice.`]
    if (option.type === 'boolean') return value === undefined ? [] : [`${rawName} takes no value.`]
    // An option that follows at once was hardly meant as the value.
    const isMissing = value === undefined || value === '' || (!inlineValue && value.startsWith('-'))
    return isMissing ? [`${rawName} needs a value.`] : []
  })
  if (faults.length > 0) return fail([...new Set(faults)].join('\n'))
  return succeed({ values, positionals } as Given<O>)
}

function nearestOption(name: string, options: Options): string | null {
  const meant = closestWord(name, Object.keys(options))
  return meant === null ? null : `--${meant}`
}

const HELP = { help: { type: 'boolean', short: 'h' } } as const

/** For a script without a server: its options, or its end, with how it is used or with what is wrong. */
export function optionsOrExit<const O extends Options>(own: O, usage: string): Given<O>['values'] {
  const given = readOptions<Options>({ ...own, ...HELP })
  const [another] = given.ok ? given.value.positionals : []
  if (given.ok && given.value.values.help === true) {
    console.log(usage)
    process.exit(0)
  }
  if (given.ok && another === undefined) return given.value.values as Given<O>['values']
  console.error(`${given.ok ? `${another} is no option.` : given.failure}\n--help shows how it is used.`)
  return process.exit(2)
}
