// Fails each system call of an upload, an edit, a deletion and a change of settings, once with EIO and once with ENOSPC,
// and kills the server at each; then checks that every acknowledged change is present. Exits with 1 if not.

import { markdownTable, writeSection } from '../../scripts/bench/report.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import { makeLongCapture } from '../load/long-capture.ts'
import { createTestFolder } from '../support/database.ts'
import { tidyWhenInterrupted } from '../support/interrupted.ts'
import { type CallFailure, FAILURES } from './calls.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { createRounds } from './rounds.ts'
import { whyNoTracing } from './trace.ts'

const USAGE = `usage: npm run torture -- every-call [--every N] [--only NAME] [--short]
Ends each system call of ${OPERATIONS.map(({ name }) => name).join(', ')}
in ${FAILURES.join(', ')}, and checks the server afterwards.
--every   only each Nth call (1)
--only    operations whose name contains this; only prints
--short   every 25th call of an upload, a live recording and an edit, as far as an undisturbed run has calls`
/** Enough captures that none changes often. */
const LONG_HOURS = 0.2
const LONG_CAPTURES = 60
const SHORT = { every: 25, operations: OPERATIONS.filter(({ isShort }) => isShort) }

const values = optionsOrExit(
  { every: { type: 'string' }, only: { type: 'string' }, short: { type: 'boolean' } },
  USAGE,
)
const every = Number(values.every ?? (values.short ? SHORT.every : 1))
if (!(Number.isInteger(every) && every > 0)) {
  console.error(`--every must be a whole number of at least 1.\n${USAGE}`)
  process.exit(2)
}

type Tried = { operation: string; failure: CallFailure; calls: number; acknowledged: number }

async function main(): Promise<number> {
  const missing = whyNoTracing()
  if (missing !== null) {
    console.log(`skipped: ${missing}`)
    return 0
  }
  await using folder = await createTestFolder()
  tidyWhenInterrupted(folder.dataFolder)
  const operations = (values.short ? SHORT.operations : OPERATIONS).filter(({ name }) =>
    name.includes(values.only ?? ''),
  )
  const long = operations.some(({ isLong }) => isLong) ? LONG_CAPTURES : 0
  for (let made = 0; made < long; made++) await makeLongCapture(folder.dataFolder, LONG_HOURS)
  const rounds = await createRounds(folder.dataFolder)
  const tried: Tried[] = []
  let broken = 0
  const found = (faults: string[]) => {
    for (const fault of faults) console.error(fault)
    broken += faults.length
  }
  try {
    const calls = new Map<Operation, number>()
    for (const operation of operations) calls.set(operation, await rounds.undisturbed(operation))
    for (const operation of operations) {
      const last = values.short ? calls.get(operation)! : Number.POSITIVE_INFINITY
      for (const failure of FAILURES) {
        const row: Tried = { operation: operation.name, failure, calls: 0, acknowledged: 0 }
        const faults: string[] = []
        for (let at = 1; at <= last; at += every) {
          const outcome = await rounds.hit(operation, failure, at)
          faults.push(...outcome.faults)
          if (!outcome.wasHit) break
          row.calls++
          if (outcome.acknowledged) row.acknowledged++
        }
        console.log(
          `${operation.name}, ${failure}: ${row.calls} calls hit, ${row.acknowledged} acknowledged, ${faults.length} faults`,
        )
        found(faults)
        tried.push(row)
      }
      found((await rounds.afterAnotherStart()).map((fault) => `after ${operation.name}: ${fault}`))
    }
  } finally {
    await rounds.stop()
  }
  if (every === 1 && !values.short && !values.only && broken === 0) await report(tried)
  return broken === 0 ? 0 : 1
}

async function report(tried: Tried[]): Promise<void> {
  await writeSection({
    title: 'Every system call',
    command: 'npm run torture -- every-call',
    how: `**No failing system call loses data**: each call that accesses the data folder during an upload, a live recording, an edit, a star on and a correction in a long capture, a deletion and a change of settings ends once in EIO, once in ENOSPC, and is once the last one before a kill (including the calls of the database, and those that write copies and inbox notes). Everything acknowledged is there, before and after the next start; a failed request returned its reason (503 or 507), and has changed everything or nothing; the server continues, or reopens its database; after the next start every copy is correct and no file is left.`,
    table: markdownTable(
      ['request', 'failure', 'calls hit', 'still acknowledged', 'broken promises'],
      tried.map(({ operation, failure, calls, acknowledged }) => [
        operation,
        failure,
        ...[calls, acknowledged, 0].map(String),
      ]),
    ),
  })
}

process.exit(await main())
