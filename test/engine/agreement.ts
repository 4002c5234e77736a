// Compares an engine with shout over the 200 utterances: node scripts/bun.mjs test/engine/agreement.ts --help
// Runs by hand; the few utterances that every test run compares are agreement.test.ts's.

import { parseArgs } from 'node:util'
import { differenceOf, LEAST_AGREEING_PERCENT, MOST_POINTS_ABOVE, verdictOn } from './agreement-report.ts'
import { type Comparison, compare } from './comparison.ts'
import { ENGINES } from './engines.ts'
import { byContract, readVocabulary, throughFullWindow } from './hearers.ts'
import { readShoutTokens } from './shout-tokens.ts'
import { utterances } from './utterances.ts'

const FULL_WINDOW = 'full-window'

const HELP = `Has an engine hear the 200 utterances and compares its tokens or texts with shout's.
  --engine name   ${FULL_WINDOW}, unless told: our own model as shout hears, through 30 s whatever the clip;
                  or one of ${Object.keys(ENGINES).join(', ')}, as the server runs it
  --limit n       only the first n, which are a sample of all kinds
  --threads n     2 unless told
Ends with 1 where fewer than ${LEAST_AGREEING_PERCENT} % agree, or the words wrong of a hundred are more than
${MOST_POINTS_ABOVE} above shout's or above native whisper.cpp's.`

const hearerOf = async (name: string, threads: number) => {
  if (name === FULL_WINDOW) return await throughFullWindow(threads)
  const create = ENGINES[name]
  return create ? byContract(create({ threads })) : null
}

const readOptions = async () => {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: FULL_WINDOW },
      limit: { type: 'string', default: String(utterances.length) },
      threads: { type: 'string', default: '2' },
      help: { type: 'boolean', default: false },
    },
  })
  const [limit, threads] = [Number(values.limit), Number(values.threads)]
  const areCounts = [limit, threads].every((value) => Number.isInteger(value) && value > 0)
  const hearer = values.help || !areCounts ? null : await hearerOf(values.engine, threads)
  if (!hearer) {
    console.log(HELP)
    process.exit(values.help ? 0 : 2)
  }
  return { hearer, limit }
}

/** At once: console.log holds its lines back while the model computes. */
const print = (...lines: string[]) => Bun.write(Bun.stdout, `${lines.join('\n')}\n`)

const signOf = ({ sameText, sameTimes }: Comparison) => {
  if (!sameText) return '≠'
  return sameTimes === false ? '≈' : '='
}

const { hearer, limit } = await readOptions()
const [shoutTokens, vocabulary] = await Promise.all([readShoutTokens(), readVocabulary()])
const chosen = utterances.slice(0, limit).filter(({ name }) => name in shoutTokens.utterances)
const comparisons: Comparison[] = []
for (const utterance of chosen) {
  const startedAt = performance.now()
  try {
    const one = await compare(hearer, utterance, shoutTokens)
    comparisons.push(one)
    await print(`${signOf(one)} ${one.name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
    if (!one.sameText) await print(...differenceOf(one, shoutTokens, vocabulary).lines)
  } catch (error) {
    await print(`failed: ${utterance.name}: ${error instanceof Error ? error.message : error}`)
  }
}
await hearer.close()

const { lines, passes } = verdictOn(comparisons, chosen.length)
const differences = comparisons
  .filter(({ sameText }) => !sameText)
  .map((one) => differenceOf(one, shoutTokens, vocabulary))
const sure = differences.filter(({ shoutWasSure }) => shoutWasSure).length
await print('', `shout has heard ${Object.keys(shoutTokens.utterances).length} of ${utterances.length}`)
await print(...lines, `of ${differences.length} that differ, ${sure} part where shout was sure or ends`)
process.exit(passes ? 0 : 1)
