// Parses the options of a script and reports all errors at once, in sentences for the user.

import { type ParseArgsConfig, parseArgs } from 'node:util'
import { asSentence, closestWord, didYouMean } from '../src/lib/did-you-mean.ts'
import { fail, type Result, succeed } from '../src/lib/result.ts'

export type Options = NonNullable<ParseArgsConfig['options']>

export type Given<O extends Options> = Pick<
  ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>,
  'values' | 'positionals'
>

/**
 * The failure has a line for each error. Arguments that are not options are returned as positionals, which the caller
 * checks.
 */
export function readOptions<const O extends Options>(
  options: O,
  args: string[] = process.argv.slice(2),
): Result<Given<O>, string> {
  // Not strict: strict parsing stops at the first error and words it for programmers.
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
      return [asSentence(`Unknown option ${rawName}${didYouMean(nearestOption(name, options))}`)]
    if (given.findIndex((other) => other.name === name) < index) return [`${rawName} is given twice.`]
    if (option.type === 'boolean') return value === undefined ? [] : [`${rawName} takes no value.`]
    // An option right after it is hardly meant as the value.
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

/** For a script without a server: returns its options, or prints the usage or the errors and exits. */
export function optionsOrExit<const O extends Options>(own: O, usage: string): Given<O>['values'] {
  const given = readOptions<Options>({ ...own, ...HELP })
  const [another] = given.ok ? given.value.positionals : []
  if (given.ok && given.value.values.help === true) {
    console.log(usage)
    process.exit(0)
  }
  if (given.ok && another === undefined) return given.value.values as Given<O>['values']
  console.error(`${given.ok ? `Unexpected argument ${another}.` : given.failure}\nRun with --help for usage.`)
  return process.exit(2)
}
