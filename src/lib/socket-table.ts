// Finds one socket by its two ends in the tables of /proc/net, where the kernel takes no question.
// Reading them takes a millisecond and more, by the number of sockets; socket-diag.ts is the usual way.

import { readFileSync } from 'node:fs'
import { addressBytes } from './socket-address.ts'
import type { Endpoint, FindSocket, SocketRow } from './socket-row.ts'

/** What an IPv4 address is to a socket of IPv6, as most programs that know both open. */
const MAPPED = '0000000000000000FFFF0000'

export const findInTables: FindSocket = (own, other) => {
  const isV4 = !own.address.includes(':')
  const [ownEnd, otherEnd] = [endOf(own), endOf(other)]
  const v6 = isV4 ? `${MAPPED}${ownEnd} ${MAPPED}${otherEnd} ` : `${ownEnd} ${otherEnd} `
  // The kernel gives the tables in pieces, between which a row may move: what is there can be missed once.
  for (let look = 0; look < 2; look += 1) {
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
  // Behind the ends: state, queues, timer, retransmissions, uid, timeout, inode (proc_net_tcp.txt of the kernel).
  const [, , , , uid = '', , inode = ''] = line.trim().split(/ +/)
  return { uid: Number(uid), inode: Number(inode) }
}

/** Four bytes at a time in the order of the machine, which is the other one everywhere that Bun runs. */
function endOf({ address, port }: Endpoint): string {
  const bytes = addressBytes(address)
  const words: string[] = []
  for (let at = 0; at < bytes.length; at += 4)
    words.push(Buffer.from(bytes.slice(at, at + 4).reverse()).toString('hex'))
  return `${words.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}
