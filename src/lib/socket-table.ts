// Finds a socket by its two ends in the tables of /proc/net, for kernels that refuse netlink queries (socket-diag.ts).
// Reading the tables takes a millisecond or more, depending on the number of sockets.

import { readFileSync } from 'node:fs'
import { addressBytes } from './socket-address.ts'
import type { Endpoint, FindSocket, SocketRow } from './socket-row.ts'

/** The prefix of an IPv4 address on an IPv6 socket, as programs that support both open them. */
const MAPPED = '0000000000000000FFFF0000'

export const findInTables: FindSocket = (own, other) => {
  const isV4 = !own.address.includes(':')
  const [ownEnd, otherEnd] = [endOf(own), endOf(other)]
  const v6 = isV4 ? `${MAPPED}${ownEnd} ${MAPPED}${otherEnd} ` : `${ownEnd} ${otherEnd} `
  // The kernel returns the tables in pieces, and a row may move between two of them, so one read can miss it.
  for (let tries = 0; tries < 2; tries += 1) {
    const row =
      (isV4 ? rowIn('/proc/net/tcp', `${ownEnd} ${otherEnd} `) : null) ?? rowIn('/proc/net/tcp6', v6)
    if (row !== null) return row
  }
  return null
}

function rowIn(table: string, ends: string): SocketRow | null {
  let text: Buffer
  try {
    text = readFileSync(table)
  } catch {
    return null
  }
  const start = text.indexOf(`: ${ends}`)
  if (start < 0) return null
  const line = text.toString('latin1', start + 2 + ends.length, text.indexOf('\n', start))
  // After the ends: state, queues, timer, retransmissions, uid, timeout, inode (proc_net_tcp.txt of the kernel).
  const [, , , , uid = '', , inode = ''] = line.trim().split(/ +/)
  return { uid: Number(uid), inode: Number(inode) }
}

/** The kernel prints words of four bytes in machine order: little-endian everywhere that Bun runs. */
function endOf({ address, port }: Endpoint): string {
  const bytes = addressBytes(address)
  const words: string[] = []
  for (let at = 0; at < bytes.length; at += 4)
    words.push(Buffer.from(bytes.slice(at, at + 4).reverse()).toString('hex'))
  return `${words.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}
