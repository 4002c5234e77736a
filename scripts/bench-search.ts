// Measures searches, lists and statistics among many captures. Reports only; no limits.

import { startPostgres } from '../test/support/postgres.ts'
import { markdownTable, writeSection } from './bench/report.ts'
import { measureSearch, type SearchBench } from './bench/search.ts'
import { milliseconds, percentile } from './bench/table.ts'
import { optionsOrExit } from './client/options.ts'

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

const [, first] = benches[0]!
const table = markdownTable(
  ['what', 'matches', ...benches.flatMap(([database]) => [`${database} p50`, `${database} p95`])],
  [
    ...first.measured.map(({ what, found }, index) => [
      what,
      found,
      ...benches.flatMap(([, { measured }]) => {
        const { timesMs } = measured[index]!
        return [0.5, 0.95].map((part) => milliseconds(percentile(timesMs, part)))
      }),
    ]),
  ],
)
console.log(table)
if (!values.print && keptFolder === undefined)
  await writeSection({
    title: 'Search and statistics',
    command: 'npm run bench -- search',
    how: `Among ${captures.toLocaleString('en')} captures of 20 to 80 words in eight languages (\`test/support/corpus.ts\`), made over three years; ${rounds} rounds, from the question to the page of 50 with its exact total and highlights, without HTTP.`,
    table,
  })
