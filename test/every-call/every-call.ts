// Lets each system call of an upload, an edit, a deletion and a change of settings fail, once by EIO and once by
// ENOSPC, and kills the server at each; then looks whether all that was acknowledged is there. Exits with 1 where not.

import { markdownTable, RELIABILITY, writeSection } from '../../scripts/bench/report.ts'
import { optionsOrExit } from '../../scripts/client/options.ts'
import { makeLongCapture } from '../load/long-capture.ts'
import { createTestFolder } from '../support/database.ts'
import { tidyWhenInterrupted } from '../support/interrupted.ts'
import { BLOWS, type Blow } from './calls.ts'
import { OPERATIONS } from './operations.ts'
import { createRounds } from './rounds.ts'
import { whyNoTracing } from './trace.ts'

const USAGE = `usage: npm run every-call -- [--every N] [--only NAME] [--short]
Lets each system call of ${OPERATIONS.map(({ name }) => name).join(', ')}
end in ${BLOWS.join(', ')}, and looks what is left.
--every   only each Nth call (1)
--only    those operations whose name has this in it, and prints only
--short   every 25th call of an upload, a live recording and an edit`
/** So many captures that none is changed often. */
const LONG_HOURS = 0.2
const LONG_CAPTURES = 60
const SHORT = { every: 25, operations: OPERATIONS.filter(({ isShort }) => isShort) }

const values = optionsOrExit(
  { every: { type: 'string' }, only: { type: 'string' }, short: { type: 'boolean' } },
  USAGE,
)
const every = Number(values.every ?? (values.short ? SHORT.every : 1))
if (!(Number.isInteger(every) && every > 0)) {
  console.error(`--every must be a whole number from 1 on.\n${USAGE}`)
  process.exit(2)
}

type Tried = { operation: string; blow: Blow; calls: number; acknowledged: number }

async function main(): Promise<number> {
  const missing = whyNoTracing()
  if (missing !== null) {
    console.log(`npm run every-call was skipped: ${missing}.`)
    return 0
  }
  await using folder = await createTestFolder()
  tidyWhenInterrupted(folder.dataFolder)
  for (let made = 0; made < LONG_CAPTURES; made++) await makeLongCapture(folder.dataFolder, LONG_HOURS)
  const rounds = await createRounds(folder.dataFolder)
  const tried: Tried[] = []
  let broken = 0
  try {
    const operations = (values.short ? SHORT.operations : OPERATIONS).filter(({ name }) =>
      name.includes(values.only ?? ''),
    )
    for (const operation of operations) await rounds.undisturbed(operation)
    for (const operation of operations)
      for (const blow of BLOWS) {
        const row: Tried = { operation: operation.name, blow, calls: 0, acknowledged: 0 }
        const faults: string[] = []
        for (let at = 1; ; at += every) {
          const outcome = await rounds.hit(operation, blow, at)
          faults.push(...outcome.faults)
          if (!outcome.wasHit) break
          row.calls++
          if (outcome.acknowledged) row.acknowledged++
        }
        faults.push(...(await rounds.afterAnotherStart()))
        for (const fault of faults) console.error(fault)
        const { calls, acknowledged } = row
        console.log(
          `${operation.name}, ${blow}: ${calls} calls hit, ${acknowledged} acknowledged, ${faults.length} faults`,
        )
        broken += faults.length
        tried.push(row)
      }
  } finally {
    await rounds.stop()
  }
  if (every === 1 && !values.short && !values.only && broken === 0) await report(tried)
  return broken === 0 ? 0 : 1
}

async function report(tried: Tried[]): Promise<void> {
  await writeSection(
    {
      title: 'Every system call',
      command: 'npm run every-call',
      how: `**No call may fail in a way that loses something**: each system call by which the server works on its data folder during an upload, a live recording, an edit, a star on and a correction in a long capture, a deletion and a change of settings ends once in EIO, once in ENOSPC, and is once the last one before a kill (the calls of the database and those that write copies and notes of the inbox too). What was acknowledged is there, before and after the next start; a refused request was told why (503 or 507), and has changed everything or nothing; the server continues, or reopens its database; after the next start every copy is right and nothing is left over.`,
      table: markdownTable(
        ['request', 'blow', 'calls hit', 'acknowledged all the same', 'broken promises'],
        tried.map(({ operation, blow, calls, acknowledged }) => [
          operation,
          blow,
          ...[calls, acknowledged, 0].map(String),
        ]),
      ),
    },
    RELIABILITY,
  )
}

process.exit(await main())
