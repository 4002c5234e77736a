// Measures searches, lists and statistics among many captures. Reports only; no limits.

import { startPostgres } from '../test/support/postgres.ts'
import { writeFigures } from './bench/figures.ts'
import { measureSearch, type SearchBench } from './bench/search.ts'
import { lineOf, milliseconds, percentile } from './bench/table.ts'
import { optionsOrExit } from './options.ts'

const usage = `usage: npm run bench -- search [--captures N] [--rounds N] [--print] [--folder PATH]
Fills a new embedded database, and a new Postgres if one is installed, and measures both; takes about seven minutes.
--print does not change BENCHMARKS.md.
--folder stores the embedded database in PATH and reuses it in later runs, without Postgres and BENCHMARKS.md.`

const values = optionsOrExit(
  {
    captures: { type: 'string' },
    rounds: { type: 'string' },
    print: { type: 'boolean' },
    folder: { type: 'string' },
  },
  usage,
)
const captures = Number(values.captures ?? 100_000)
const rounds = Number(values.rounds ?? 30)
if (!(captures >= 1) || !(rounds >= 1)) {
  console.error(usage)
  process.exit(2)
}

const benches: [database: string, bench: SearchBench][] = []
const note = (database: string, bench: SearchBench) => {
  benches.push([database, bench])
  console.error(`${database}: measured`)
}
console.error('embedded …')
const keptFolder = values.folder
note('embedded', await measureSearch({ databaseUrl: null, keptFolder, captures, rounds }))
const postgres = keptFolder === undefined ? await startPostgres() : null
if (postgres !== null) {
  console.error('Postgres …')
  try {
    note('Postgres', await measureSearch({ databaseUrl: postgres.url, captures, rounds }))
  } finally {
    await postgres.stop()
  }
}

const TIMES = { p50: 0.5, p95: 0.95 }
const [, first] = benches[0]!
const rows = first.measured.map(({ what, found }, index) => ({
  what,
  matches: found,
  ...Object.fromEntries(
    benches.flatMap(([database, { measured }]) =>
      Object.entries(TIMES).map(([name, part]) => [
        `${database} ${name}`,
        milliseconds(percentile(measured[index]!.timesMs, part)),
      ]),
    ),
  ),
}))
const slowest = benches.map(([database, { measured }]) => ({
  what: `slowest request, ${database}, p95`,
  value: milliseconds(Math.max(...measured.map(({ timesMs }) => percentile(timesMs, TIMES.p95)))),
  goal: '≤ 100 ms',
}))
for (const row of rows) console.log(Object.values(row).join(' | '))
for (const row of slowest) console.log(lineOf(row))
if (!values.print && keptFolder === undefined)
  await writeFigures('Search and statistics', {
    command: 'npm run bench -- search',
    how: `Among ${captures.toLocaleString('en')} captures of 20 to 80 words in eight languages (\`test/support/corpus.ts\`), recorded over three years; ${rounds} rounds, from the query to the page of 50 with its exact total and highlights, without HTTP.`,
    rows: [...rows, ...slowest],
  })
