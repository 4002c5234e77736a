// Compares an engine with shout over the 200 utterances: node scripts/bun.mjs test/engine/agreement.ts --help
// Runs by hand; the few utterances that every test run compares are agreement.test.ts's.

import { parseArgs } from 'node:util'
import { bytesInMemory, readGgmlFile } from '../../src/engine/ggml-file.ts'
import { bundledBytes } from '../support/ggml.ts'
import { differenceOf, LEAST_AGREEING_PERCENT, MOST_POINTS_ABOVE, verdictOn } from './agreement-report.ts'
import { type Comparison, compare, OUR_ENGINE } from './comparison.ts'
import { ENGINES } from './engines.ts'
import { readShoutTokens } from './shout-tokens.ts'
import { utterances } from './utterances.ts'

const HELP = `Has an engine hear the 200 utterances and compares its texts with shout's.
  --engine name   one of: ${Object.keys(ENGINES).join(', ')}; ${OUR_ENGINE} unless told
  --limit n       only the first n, which are a sample of all kinds
  --threads n     2 unless told
Ends with 1 where fewer than ${LEAST_AGREEING_PERCENT} % agree, or the words wrong of a hundred are more than ${MOST_POINTS_ABOVE} above shout's
or above native whisper.cpp's.`

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: OUR_ENGINE },
      limit: { type: 'string', default: String(utterances.length) },
      threads: { type: 'string', default: '2' },
      help: { type: 'boolean', default: false },
    },
  })
  const create = ENGINES[values.engine]
  const [limit, threads] = [Number(values.limit), Number(values.threads)]
  const areCounts = [limit, threads].every((value) => Number.isInteger(value) && value > 0)
  if (values.help || !create || !areCounts) {
    console.log(HELP)
    process.exit(values.help ? 0 : 2)
  }
  return { engine: create({ threads }), limit }
}

const readVocabulary = async () => {
  const file = readGgmlFile(bytesInMemory(await bundledBytes()))
  if (!file.ok) throw new Error(file.failure.message)
  return file.value.vocabulary
}

const signOf = ({ sameText, sameTimes }: Comparison) => {
  if (!sameText) return '≠'
  return sameTimes ? '=' : '≈'
}

const { engine, limit } = readOptions()
const shoutTokens = await readShoutTokens()
const chosen = utterances.slice(0, limit)
const comparisons: Comparison[] = []
for (const utterance of chosen) {
  const startedAt = performance.now()
  try {
    const one = await compare(engine, utterance, shoutTokens)
    comparisons.push(one)
    console.log(`${signOf(one)} ${one.name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
  } catch (error) {
    console.log(`failed: ${error instanceof Error ? error.message : error}`)
  }
}
await engine.close()

const vocabulary = await readVocabulary()
const differences = comparisons
  .filter(({ sameText }) => !sameText)
  .map((one) => differenceOf(one, shoutTokens, vocabulary))
const { lines, passes } = verdictOn(comparisons, chosen.length)
for (const difference of differences) console.log(`\n${difference.lines.join('\n')}`)
const sure = differences.filter(({ shoutWasSure }) => shoutWasSure).length
console.log(`\n${lines.join('\n')}`)
console.log(`of ${differences.length} that differ, ${sure} part where shout was sure or ends`)
process.exit(passes ? 0 : 1)
