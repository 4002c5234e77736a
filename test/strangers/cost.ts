// What it costs to ask whose connection it is, among few sockets and among thousands.
// Judges nothing; who is refused is strangers.ts's.

import { connect, createServer, type Socket } from 'node:net'
import { median, type Row } from '../../scripts/bench/table.ts'
import { openSocketDiag } from '../../src/lib/socket-diag.ts'
import type { FindSocket } from '../../src/lib/socket-row.ts'
import { findInTables } from '../../src/lib/socket-table.ts'
import { until } from '../support/until.ts'

const ASKED = 2000
const READ = 20
const MANY = 4000
/** More at once than wait to be accepted would be dropped. */
const BACKLOG = 100

/** Empty where the system does not tell. */
export async function costRows(): Promise<Row[]> {
  const diag = openSocketDiag()
  if (process.platform !== 'linux' || diag === null) return []
  const accepted: Socket[] = []
  const held: Socket[] = []
  const server = createServer((socket) => accepted.push(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const open = async (count: number) => {
    while (held.length < count) {
      const next = Array.from({ length: Math.min(BACKLOG, count - held.length) }, () =>
        connect(port, '127.0.0.1'),
      )
      held.push(...next.map((socket) => socket.on('error', () => {})))
      await until(() => accepted.length >= held.length, { timeoutMs: 60_000 })
    }
  }
  const timed = (find: FindSocket, times: number) => {
    const { remoteAddress, remotePort } = accepted[0]!
    const theirs = { address: remoteAddress!, port: remotePort! }
    const tookMs = Array.from({ length: times }, () => {
      const startedAt = performance.now()
      if (find(theirs, { address: '127.0.0.1', port }) === null)
        throw new Error('an open connection is not found')
      return performance.now() - startedAt
    })
    return `${median(tookMs).toFixed(4)} ms`
  }
  const rows: Row[] = []
  const question = 'whose program it is, for each request of a new or kept connection'
  for (const count of [1, MANY]) {
    await open(count)
    const note = `median of ${ASKED}, among ${count * 2} sockets of ours`
    rows.push({ what: question, value: timed(diag.find, ASKED), note })
    const tables = `median of ${READ}, among as many; only where the kernel takes no question`
    rows.push({ what: 'the same by reading /proc/net', value: timed(findInTables, READ), note: tables })
  }
  for (const socket of [...accepted, ...held]) socket.destroy()
  server.close()
  diag.close()
  return rows
}
