// Finds the user whose program holds the other end of a local connection, on Linux.
// Results are not cached: a port passes to another program within microseconds, and Bun does not report the end of a
// connection.

import { openSocketDiag } from './socket-diag.ts'
import type { Endpoint, FindSocket } from './socket-row.ts'
import { findInTables } from './socket-table.ts'

export type SocketOwners = {
  /** the user id that holds `theirs`, connected to `ours`; null if no program holds it any more */
  ownerOf(theirs: Endpoint, ours: Endpoint): number | null
  close(): void
}

/**
 * Null if the owner cannot be determined: on other systems, and if neither method finds `listening`, a socket of this
 * process. A netlink query takes 2 µs; where the kernel refuses it, reading the tables takes 1 ms or more.
 */
export function openSocketOwners(listening: Endpoint): SocketOwners | null {
  if (process.platform !== 'linux') return null
  const nowhere = { address: listening.address.includes(':') ? '::' : '0.0.0.0', port: 0 }
  const works = (find: FindSocket) => (find(listening, nowhere)?.inode ?? 0) !== 0
  const diag = openSocketDiag()
  if (diag !== null && works(diag.find)) return ownersBy(diag.find, diag.close)
  diag?.close()
  return works(findInTables) ? ownersBy(findInTables, () => {}) : null
}

const ownersBy = (find: FindSocket, close: () => void): SocketOwners => ({
  ownerOf(theirs, ours) {
    const row = find(theirs, ours)
    return row === null || row.inode === 0 ? null : row.uid
  },
  close,
})
