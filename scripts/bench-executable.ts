// Size of the executables in dist, and how fast the one for this system starts, beside `npm start`.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCRIPT_FLAG } from '../src/lib/child-process.ts'
import { ownFile } from '../src/lib/own-files.ts'
import { startServer } from '../test/support/server.ts'
import { writeFigures } from './bench/figures.ts'
import { lineOf, median, type Row, ratio, seconds } from './bench/table.ts'
import { fileIn, HERE, TARGETS } from './build/targets.ts'
import { optionsOrExit } from './options.ts'

const usage = `usage: npm run bench -- executable [--short] [--rounds N]
Measures what "npm run build -- --fetch" made, and rewrites its section of BENCHMARKS.md; --short only prints.`

const values = optionsOrExit({ short: { type: 'boolean' }, rounds: { type: 'string' } }, usage)
const rounds = values.short ? 1 : Number(values.rounds ?? 11)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`--rounds must be a whole number above 0\n${usage}`)
  process.exit(2)
}

const DIST = ownFile('dist')

async function sizes(): Promise<Row[]> {
  const files = TARGETS.map((target) => ({ target, file: Bun.file(fileIn(DIST, target)) }))
  const rows: Row[] = []
  for (const { target, file } of files)
    if (await file.exists())
      rows.push({ what: `size, ${target}`, value: `${(file.size / 1e6).toFixed(1)} MB`, goal: '≤ 220 MB' })
  return rows
}

/** Both start on the same data, in turn. */
async function starts(): Promise<Row[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dictation-bench-'))
  const executable = [fileIn(DIST, HERE), SCRIPT_FLAG, 'src/main.ts']
  const readyMs = async (program?: string[]) => {
    const startedAt = performance.now()
    const server = await startServer({ dataFolder, env: LOG_LEVEL, ...(program && { program }) })
    const took = performance.now() - startedAt
    await server.stop()
    return took
  }
  // The first start creates the database.
  await readyMs(executable)
  const both: { executable: number; checkout: number }[] = []
  for (let round = 0; round < rounds; round++)
    both.push({ executable: await readyMs(executable), checkout: await readyMs() })
  await rm(dataFolder, { recursive: true, force: true })
  const ofExecutable = both.map((one) => one.executable)
  const ofCheckout = both.map((one) => one.checkout)
  return [
    { what: 'later start to ready', value: seconds(median(ofExecutable)), goal: '≤ 1 s' },
    { what: 'later start to ready, the fastest', value: seconds(Math.min(...ofExecutable)) },
    { what: 'src/main.ts, later start to ready', value: seconds(median(ofCheckout)) },
    { what: 'src/main.ts, later start to ready, the fastest', value: seconds(Math.min(...ofCheckout)) },
    {
      what: 'executable ÷ src/main.ts',
      value: ratio(median(both.map((one) => one.executable / one.checkout)), 1),
      note: 'median of the ratios of both starts in a round',
    },
  ]
}

const LOG_LEVEL = { DICTATION_LOG_LEVEL: 'info' }

const rows = [...(await sizes()), ...(await starts())]
for (const row of rows) console.log(lineOf(row))

if (!values.short) {
  await writeFigures('Executable', {
    command: `npm run bench -- executable --rounds ${rounds}`,
    how: `Medians of ${rounds} rounds, the executable and src/main.ts in turn, each on the data of the start before.`,
    rows,
  })
}
