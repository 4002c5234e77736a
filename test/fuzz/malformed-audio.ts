// Decodes damaged copies of every recording and prints the outcomes; not part of the test suite.
// Exits with 1 if a decode threw, exceeded the limit or left files.

import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { optionsOrExit } from '../../scripts/options.ts'
import { SNIFF_BYTES } from '../../src/audio/sniff.ts'
import { createTestDecoder, SPEECH_FOLDER } from '../audio/decoded.ts'
import { sniffAudio } from '../support/sniff-audio.ts'
import { mutantsOf } from './mutants.ts'

const values = optionsOrExit(
  {
    short: { type: 'boolean' },
    'limit-ms': { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
  'usage: bun test/fuzz/malformed-audio.ts [--short] [--count N] [--seed N] [--only TEXT] [--limit-ms N]',
)
const count = Number(values.count ?? (values.short ? 10 : 100))
const seed = Number(values.seed ?? 1)
/** Includes the start of a process and the compilation of FFmpeg; a busy machine needs more. */
const limitMs = Number(values['limit-ms'] ?? 2000)
/** The beginning of a large recording is enough here. */
const MAX_BYTES = 128 * 1024

const names = ['formats', 'containers']
  .flatMap((folder) => readdirSync(join(SPEECH_FOLDER, folder)).map((name) => `${folder}/${name}`))
  .filter((name) => !name.endsWith('.md') && name.includes(values.only ?? ''))

const outcomes = new Map<string, number>()
let slowest = { ms: 0, what: 'none' }
const faults: string[] = []
await using decoder = await createTestDecoder()

async function tryMutant(mutant: Uint8Array, what: string): Promise<string> {
  if (mutant.length === 0) return 'empty'
  if (sniffAudio(mutant.subarray(0, SNIFF_BYTES)) === null) return 'not recognized'
  const startedAt = performance.now()
  const result = await decoder.decodeBytes(mutant)
  const ms = Math.round(performance.now() - startedAt)
  if (ms > slowest.ms) slowest = { ms, what }
  if (ms > limitMs) faults.push(`${what} took ${ms} ms`)
  if (!result.ok) return result.failure.code
  await result.value.dispose()
  return 'decoded'
}

for (const name of names) {
  const original = await Bun.file(join(SPEECH_FOLDER, name)).slice(0, MAX_BYTES).bytes()
  let number = 0
  for (const mutant of mutantsOf(original, { seed, count })) {
    const what = `${name} #${number++}`
    const outcome = await tryMutant(mutant, what).catch((error: Error) => {
      faults.push(`${what} threw ${error.message}`)
      return 'threw'
    })
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
}

const left = await readdir(decoder.folder)
if (left.length > 0) faults.push(`${left.length} files were left`)
console.log(`${names.length} recordings, ${count} mutants of each, seed ${seed}`)
for (const [outcome, times] of [...outcomes].sort((a, b) => b[1] - a[1]))
  console.log(`  ${outcome}: ${times}`)
console.log(`slowest: ${slowest.ms} ms (${slowest.what})`)
for (const fault of faults) console.log(`FAULT ${fault}`)
process.exitCode = faults.length > 0 ? 1 : 0
