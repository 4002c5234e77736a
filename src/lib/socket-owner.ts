// Finds the user whose program holds the other end of a local connection, on Linux.
// Results are not cached: a port passes to another program within microseconds, and Bun does not report the end of a
// connection.

import { dlopen, type Library } from 'bun:ffi'
import { readFileSync } from 'node:fs'

export type Endpoint = { address: string; port: number }

/** A socket as the kernel lists it. */
export type SocketRow = {
  uid: number
  /** 0 if no program holds it: it was closed or is not accepted yet; the kernel then reports root as its owner */
  inode: number
}

/**
 * Finds the socket between two ends, or the one that listens at `own` if `other` is the unspecified address with port
 * 0.
 */
export type FindSocket = (own: Endpoint, other: Endpoint) => SocketRow | null

/**
 * The bytes of an IP address: 4 or 16.
 * @param text as the system writes it: four numbers, or eight groups with at most one `::`
 */
function addressBytes(text: string): Uint8Array {
  if (!text.includes(':')) return Uint8Array.from(text.split('.'), Number)
  const [before = [], after = []] = text.split('::').map((half) => half.split(':').filter(Boolean))
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return Uint8Array.from(
    groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
  )
}

/** glibc, and musl under the name that Alpine uses. */
const LIBRARIES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]

const FUNCTIONS = {
  socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
  send: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i64' },
  recv: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i64' },
  close: { args: ['i32'], returns: 'i32' },
} as const

type Libc = Library<typeof FUNCTIONS>['symbols']

// From linux/netlink.h, linux/sock_diag.h and linux/inet_diag.h.
const AF_NETLINK = 16
const SOCK_RAW_CLOEXEC = 3 | 0o2000000
const NETLINK_SOCK_DIAG = 4
const SOCK_DIAG_BY_FAMILY = 20
const NLM_F_REQUEST = 1
const MSG_DONTWAIT = 0x40
const AF_INET = 2
const AF_INET6 = 10
const IPPROTO_TCP = 6
const ANY_STATE = 0xffffffff
const NO_COOKIE = 0xffffffff

// Byte offsets: 16 bytes of nlmsghdr, then inet_diag_req_v2 in the request and inet_diag_msg in the response.
const REQUEST_BYTES = 72
const REQUEST = { family: 16, protocol: 17, states: 20, id: 24, cookie: 64 }
const RESPONSE = { id: 20, uid: 80, inode: 84 }
/** Offsets within the socket id of both messages, in network order: two ports, then two addresses of 16 bytes. */
const ID = { ownPort: 0, otherPort: 2, ownAddress: 4, otherAddress: 20 }

export type SocketDiag = { find: FindSocket; close(): void }

/** Null if the C library is not supported or the kernel refuses such a socket. */
export function openSocketDiag(): SocketDiag | null {
  const libc = loadLibrary()
  const socket = libc?.socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_SOCK_DIAG) ?? -1
  if (libc === null || socket < 0) return null
  const answer = new DataView(new ArrayBuffer(512))
  const bytes = new Uint8Array(answer.buffer)
  let sequence = 0

  const find: FindSocket = (own, other) => {
    sequence = (sequence + 1) >>> 0
    const request = requestFor(own, other, sequence)
    if (Number(libc.send(socket, request, REQUEST_BYTES, 0)) !== REQUEST_BYTES) return null
    // The kernel has responded when `send` returns. Skip the response to an earlier request.
    for (;;) {
      const received = Number(libc.recv(socket, bytes, bytes.length, MSG_DONTWAIT))
      if (received <= 0) return null
      if (answer.getUint32(8, true) === sequence) return rowInAnswer(answer, received, own, other)
    }
  }
  return { find, close: () => void libc.close(socket) }
}

function loadLibrary(): Libc | null {
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, FUNCTIONS).symbols
    } catch {
      // The other C library, or none that can be loaded.
    }
  }
  return null
}

function requestFor(own: Endpoint, other: Endpoint, sequence: number): Uint8Array {
  const bytes = new Uint8Array(REQUEST_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, REQUEST_BYTES, true)
  view.setUint16(4, SOCK_DIAG_BY_FAMILY, true)
  view.setUint16(6, NLM_F_REQUEST, true)
  view.setUint32(8, sequence, true)
  const ownAddress = addressBytes(own.address)
  view.setUint8(REQUEST.family, ownAddress.length === 4 ? AF_INET : AF_INET6)
  view.setUint8(REQUEST.protocol, IPPROTO_TCP)
  view.setUint32(REQUEST.states, ANY_STATE, true)
  view.setUint16(REQUEST.id + ID.ownPort, own.port)
  view.setUint16(REQUEST.id + ID.otherPort, other.port)
  bytes.set(ownAddress, REQUEST.id + ID.ownAddress)
  bytes.set(addressBytes(other.address), REQUEST.id + ID.otherAddress)
  view.setUint32(REQUEST.cookie, NO_COOKIE, true)
  view.setUint32(REQUEST.cookie + 4, NO_COOKIE, true)
  return bytes
}

/** If the connection does not exist, the kernel returns a socket that listens on that port instead; ignore it. */
function rowInAnswer(answer: DataView, received: number, own: Endpoint, other: Endpoint): SocketRow | null {
  if (answer.getUint16(4, true) !== SOCK_DIAG_BY_FAMILY || received < RESPONSE.inode + 4) return null
  const isRequested =
    answer.getUint16(RESPONSE.id + ID.ownPort) === own.port &&
    answer.getUint16(RESPONSE.id + ID.otherPort) === other.port
  if (!isRequested) return null
  return { uid: answer.getUint32(RESPONSE.uid, true), inode: answer.getUint32(RESPONSE.inode, true) }
}

/** The prefix of an IPv4 address on an IPv6 socket, as programs that support both open them. */
const MAPPED = '0000000000000000FFFF0000'

export const findInTables: FindSocket = (own, other) => {
  const isV4 = !own.address.includes(':')
  const [ownEnd, otherEnd] = [endOf(own), endOf(other)]
  const v6 = isV4 ? `${MAPPED}${ownEnd} ${MAPPED}${otherEnd} ` : `${ownEnd} ${otherEnd} `
  // The kernel returns the tables in pieces, and a row may move between two of them, so one read can miss it.
  for (let tries = 0; tries < 2; tries += 1) {
    const row =
      (isV4 ? rowInTable('/proc/net/tcp', `${ownEnd} ${otherEnd} `) : null) ??
      rowInTable('/proc/net/tcp6', v6)
    if (row !== null) return row
  }
  return null
}

function rowInTable(table: string, ends: string): SocketRow | null {
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
