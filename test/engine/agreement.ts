// Compares an engine with whisper.cpp over the 200 utterances: node scripts/bun.mjs test/engine/agreement.ts --help

import { parseArgs } from 'node:util'
import {
  type DifferenceOptions,
  differenceOf,
  MAX_POINTS_ABOVE,
  MIN_AGREEING_PERCENT,
  reasonLines,
  verdictOn,
  whenRounding,
} from './agreement-report.ts'
import { type Comparison, compare, type TranscribedUtterance, transcribe } from './comparison.ts'
import { ENGINES } from './engines.ts'
import { byContract, readVocabulary, throughFullWindow } from './hearers.ts'
import { readTokens } from './recorded-tokens.ts'
import { utterances } from './utterances.ts'
import { COMPARED_TYPES, type ComparedType, modelIn, recordingsFor } from './weights.ts'

const FULL_WINDOW = 'full-window'

const HELP = `Transcribes the 200 utterances with an engine and compares its tokens or texts with whisper.cpp's.
  --type name     ${COMPARED_TYPES.join(', ')}: the weights, of tiny.en unless base is named; f16 by default. Shout
                  cannot run f32, which is compared with its results for f16; with q5_1 it rounds differently from
                  all other builds
  --engine name   ${FULL_WINDOW}, by default: our own model with the full window of 30 s, as shout;
                  or one of ${Object.keys(ENGINES).join(', ')}, as the server runs it, with q5_1
  --limit n       only the first n, which are a sample of all kinds
  --threads n     2 by default
Exits with 1 if fewer than ${MIN_AGREEING_PERCENT} % agree, or the word error rate in percent is more than
${MAX_POINTS_ABOVE} above shout's or above native whisper.cpp's.`

const openTranscriber = async (name: string, type: ComparedType, threads: number) => {
  if (name === FULL_WINDOW) return await throughFullWindow(await modelIn(type), threads)
  const create = type === 'q5_1' ? ENGINES[name] : undefined
  return create ? byContract(create({ threads })) : null
}

const readOptions = async () => {
  const { values } = parseArgs({
    options: {
      type: { type: 'string', default: COMPARED_TYPES[0] },
      engine: { type: 'string', default: FULL_WINDOW },
      limit: { type: 'string', default: String(utterances.length) },
      threads: { type: 'string', default: '2' },
      help: { type: 'boolean', default: false },
    },
  })
  const type = COMPARED_TYPES.find((name) => name === values.type)
  const [limit, threads] = [Number(values.limit), Number(values.threads)]
  const areCounts = [limit, threads].every((value) => Number.isInteger(value) && value > 0)
  const transcriber =
    !values.help && areCounts && type ? await openTranscriber(values.engine, type, threads) : null
  if (transcriber && type) return { transcriber, type, limit }
  console.log(HELP)
  process.exit(values.help ? 0 : 2)
}

/** Prints at once; console.log delays its lines while the model computes. */
const print = (...lines: string[]) => Bun.write(Bun.stdout, `${lines.join('\n')}\n`)

const signOf = ({ sameText, sameTimes }: Comparison) => {
  if (!sameText) return '≠'
  return sameTimes === false ? '≈' : '='
}

const { transcriber, type, limit } = await readOptions()
const chosen = utterances.slice(0, limit)
const vocabulary = readVocabulary(await modelIn(type))
const rounding = type === 'q5_1' ? await readTokens('rounding shout q5_1') : null
const peers = await Promise.all(
  recordingsFor(type).map(async (name) => {
    const options: DifferenceOptions = { theirs: await readTokens(name), rounding, vocabulary }
    const count = chosen.filter((one) => one.name in options.theirs.utterances).length
    return { name, options, count, comparisons: [] as Comparison[] }
  }),
)

const compareWithAll = async (transcribed: TranscribedUtterance) => {
  for (const { name, options, comparisons } of peers) {
    if (!(transcribed.utterance.name in options.theirs.utterances)) continue
    const one = compare(transcribed, options.theirs)
    comparisons.push(one)
    await print(`${signOf(one)} ${name}: ${one.name}`)
    if (!one.sameText) await print(...differenceOf(one, options).lines)
  }
}

for (const utterance of chosen) {
  try {
    if (peers.some(({ options }) => utterance.name in options.theirs.utterances))
      await compareWithAll(await transcribe(transcriber, utterance))
  } catch (error) {
    await print(`failed: ${utterance.name}: ${error instanceof Error ? error.message : error}`)
  }
}
await transcriber.close()

const verdicts = peers.map(({ comparisons, count }) => verdictOn(comparisons, count))
for (const [i, { name, options, comparisons, count }] of peers.entries()) {
  await print(
    '',
    `${type} beside ${name} (${options.theirs.engine}), which has transcribed ${count} of ${chosen.length}`,
  )
  await print(...verdicts[i]!.lines, ...reasonLines(comparisons, options))
}
if (rounding) {
  const { comparisons, count } = peers[0]!
  await print('', 'The same, with what shout writes when it rounds in place of what differs')
  await print(...verdictOn(whenRounding(comparisons, rounding), count).lines)
}
process.exit(verdicts.every(({ passes }) => passes) ? 0 : 1)
