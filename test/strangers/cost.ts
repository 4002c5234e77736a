// The cost of looking up the owner of a connection, among few sockets and among thousands.

import { connect, createServer, type Socket } from 'node:net'
import { median, type Row } from '../../scripts/bench/table.ts'
import { type FindSocket, findInTables, openSocketDiag } from '../../src/lib/socket-owner.ts'
import { until } from '../support/until.ts'

const LOOKUPS = 2000
const READS = 20
const MANY = 4000
/** The kernel would drop more connections that wait for accept. */
const BACKLOG = 100

/** @returns no rows if the system does not report owners */
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
        throw new Error('an open connection was not found')
      return performance.now() - startedAt
    })
    return `${median(tookMs).toFixed(4)} ms`
  }
  const rows: Row[] = []
  const what = 'owner of the connection, per request'
  for (const count of [1, MANY]) {
    await open(count)
    const note = `median of ${LOOKUPS}, among ${count * 2} of our sockets`
    rows.push({ what, value: timed(diag.find, LOOKUPS), note })
    const tables = `median of ${READS}, among as many; only if the kernel rejects the query`
    rows.push({ what: 'the same with /proc/net', value: timed(findInTables, READS), note: tables })
  }
  for (const socket of [...accepted, ...held]) socket.destroy()
  server.close()
  diag.close()
  return rows
}
