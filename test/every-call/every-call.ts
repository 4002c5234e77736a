// Lets each system call of an upload, an edit, a deletion and a change of settings fail, once by EIO and once by
// ENOSPC, and kills the server at each; then looks whether all that was acknowledged is there. Exits with 1 where not.

import { rm } from 'node:fs/promises'
import { markdownTable, RELIABILITY, writeSection } from '../../scripts/bench/report.ts'
import { optionsOrExit } from '../../scripts/client/options.ts'
import { createTestFolder } from '../support/database.ts'
import { type Ask, settle } from '../support/kept-view.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { BLOWS, type Blow } from './calls.ts'
import { createLedger, leftovers } from './ledger.ts'
import { OPERATIONS, type Operation, recordingHash } from './operations.ts'
import { traced, whyNoTracing } from './trace.ts'

const USAGE = `usage: npm run every-call -- [--every N] [--short]
Lets each system call of ${OPERATIONS.map(({ name }) => name).join(', ')}
end in ${BLOWS.join(', ')}, and looks what is left.
--every   only each Nth call (1; --short 13)`
const SHORT_EVERY = 13

const values = optionsOrExit({ every: { type: 'string' }, short: { type: 'boolean' } }, USAGE)
const every = Number(values.every ?? (values.short ? SHORT_EVERY : 1))
if (!(Number.isInteger(every) && every > 0)) {
  console.error(`--every must be a whole number from 1 on.\n${USAGE}`)
  process.exit(2)
}

type Tried = { operation: string; blow: Blow; calls: number; acknowledged: number; broken: number }

async function main(): Promise<number> {
  const missing = whyNoTracing()
  if (missing !== null) {
    console.log(`npm run every-call was skipped: ${missing}.`)
    return 0
  }
  await using folder = await createTestFolder()
  const { dataFolder } = folder
  const tidy = () => rm(dataFolder, { recursive: true, force: true })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void tidy().then(() => process.exit(130)))

  const ledger = createLedger()
  let server = await startServer({ dataFolder })
  const ask: Ask = (path, init) => fetch(server.url + path, init)
  let round = 0

  /** One request of which one call is hit; null where it has no such call. */
  async function hit(
    operation: Operation,
    blow: Blow,
    at: number,
  ): Promise<{ faults: string[]; ok: boolean } | null> {
    round++
    const subject = await operation.prepare(ask, round)
    if (subject !== null) ledger.expect(subject.key, subject.before)
    await ledger.compare(ask, 'whole')
    const { result, calls } = await traced(server, { blow, at }, async () => {
      const response = await operation.request(ask, subject?.key ?? '', round).catch(() => null)
      const text = await response?.text().catch(() => null)
      // Work that goes on is part of it.
      if (blow !== 'SIGKILL') await settle(ask)
      return text == null ? null : { status: response!.status, text }
    })
    const struck = calls.find(({ isHit }) => isHit)
    if (blow === 'SIGKILL' && struck !== undefined) server = await again(server)
    const ok = result !== null && result.status < 300
    const faults = await judge(operation, { subject, result, ok })
    if (struck === undefined) return faults.length === 0 ? null : { faults, ok }
    const where = `${operation.name}, ${blow} at ${struck.call} of ${struck.path || 'the data folder'}`
    return { faults: faults.map((fault) => `${where}: ${fault}`), ok }
  }

  async function judge(
    operation: Operation,
    {
      subject,
      result,
      ok,
    }: {
      subject: Awaited<ReturnType<Operation['prepare']>>
      result: { status: number; text: string } | null
      ok: boolean
    },
  ): Promise<string[]> {
    const faults: string[] = []
    if (result !== null && !ok && ![503, 507].includes(result.status))
      faults.push(`answered ${result.status}: ${result.text.slice(0, 300)}`)
    if (subject !== null) ledger.expect(subject.key, subject.after, ...(ok ? [] : [subject.before]))
    await settle(ask)
    const isUpload = subject === null
    if (isUpload && ok) {
      const { id } = JSON.parse(result!.text) as { id: string }
      const audio = await ask(`/captures/${id}/audio`)
      const hash = new Bun.CryptoHasher('sha256').update(await audio.arrayBuffer()).digest('hex')
      if (hash !== recordingHash) faults.push(`capture ${id} was acknowledged, and its audio is not there`)
    }
    const newcomers = isUpload ? (operation.keepsParts && !ok ? 'part' : 'whole') : 'none'
    return [...faults, ...(await ledger.compare(ask, newcomers))]
  }

  async function again(killed: RunningServer): Promise<RunningServer> {
    await killed.kill()
    const next = await startServer({ dataFolder })
    server = next
    await settle(ask)
    return next
  }

  const tried: Tried[] = []
  try {
    // Whatever is made once only, such as the folder of the month, is there from here on.
    for (const operation of OPERATIONS) {
      const subject = await operation.prepare(ask, round)
      await (await operation.request(ask, subject?.key ?? '', round)).text()
    }
    for (const operation of OPERATIONS)
      for (const blow of BLOWS) {
        const row: Tried = { operation: operation.name, blow, calls: 0, acknowledged: 0, broken: 0 }
        const faults: string[] = []
        for (let at = 1; ; at += every) {
          const outcome = await hit(operation, blow, at)
          if (outcome === null) break
          row.calls++
          if (outcome.ok) row.acknowledged++
          if (outcome.faults.length > 0) row.broken++
          faults.push(...outcome.faults)
        }
        if (blow !== 'SIGKILL') server = await again(server)
        faults.push(...(await ledger.compare(ask, 'none')), ...(await leftovers(dataFolder)))
        if (faults.length > 0 && row.broken === 0) row.broken = 1
        for (const fault of faults) console.error(fault)
        console.log(
          `${row.operation}, ${blow}: ${row.calls} calls, ${row.acknowledged} acknowledged, ${row.broken} broken`,
        )
        tried.push(row)
      }
  } finally {
    await server.kill()
  }
  const broken = tried.reduce((sum, row) => sum + row.broken, 0)
  if (every === 1 && broken === 0) await report(tried)
  return broken === 0 ? 0 : 1
}

async function report(tried: Tried[]): Promise<void> {
  await writeSection(
    {
      title: 'Every system call',
      command: 'npm run every-call',
      how: `**No call may fail in a way that loses something**: each system call by which the server works on its data folder during an upload, an edit, a deletion and a change of settings ends once in EIO, once in ENOSPC, and is once the last one before a kill (the database's own calls too). Whoever was told of success finds everything, before and after the next start; everybody else was told why (503 or 507), and finds the whole or nothing; the next start leaves nothing over.`,
      table: markdownTable(
        ['request', 'blow', 'calls hit', 'acknowledged all the same', 'broken promises'],
        tried.map(({ operation, blow, calls, acknowledged, broken }) => [
          operation,
          blow,
          ...[calls, acknowledged, broken].map(String),
        ]),
      ),
    },
    RELIABILITY,
  )
}

process.exit(await main())
