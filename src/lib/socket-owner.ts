// Whose program holds the other end of a connection on this computer, as the kernel tells on Linux.
// Who may connect is for those who ask. Nothing is remembered: a port passes to another program within microseconds,
// and Bun does not tell when a connection ends.

import { openSocketDiag } from './socket-diag.ts'
import type { Endpoint, FindSocket } from './socket-row.ts'
import { findInTables } from './socket-table.ts'

export type SocketOwners = {
  /** the user whose program holds `theirs`, connected to `ours`; null when nobody does any more */
  ownerOf(theirs: Endpoint, ours: Endpoint): number | null
  close(): void
}

/**
 * Null where it cannot be known: on other systems, and where neither way finds `listening`, a socket of this process.
 * One question takes the kernel 2 µs; where it takes none, its tables are read, 1 ms and more.
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
