// Queries the Linux kernel for one socket by its two ends over netlink (sock_diag(7)), through the C library.

import { dlopen, type Library } from 'bun:ffi'
import { addressBytes } from './socket-address.ts'
import type { Endpoint, FindSocket, SocketRow } from './socket-row.ts'

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
      if (answer.getUint32(8, true) === sequence) return rowIn(answer, received, own, other)
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
function rowIn(answer: DataView, received: number, own: Endpoint, other: Endpoint): SocketRow | null {
  if (answer.getUint16(4, true) !== SOCK_DIAG_BY_FAMILY || received < RESPONSE.inode + 4) return null
  const isRequested =
    answer.getUint16(RESPONSE.id + ID.ownPort) === own.port &&
    answer.getUint16(RESPONSE.id + ID.otherPort) === other.port
  if (!isRequested) return null
  return { uid: answer.getUint32(RESPONSE.uid, true), inode: answer.getUint32(RESPONSE.inode, true) }
}
