// Checks which user's program listens at an address before a command sends a token or recordings there: any user of a
// computer may take a port that the server has not taken yet.

import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { processState, readHolder } from '../../lib/instance-file.ts'
import { findInTables } from '../../lib/socket-owner.ts'

/** Why nothing may be sent there; null: the program is the user's own, or root's */
export type CheckHolder = () => Promise<string | null>

export type Trust = {
  /** --trust-server was given, with an address that the caller named */
  isTrusted: boolean
  /** where this user's server announces its address, for systems without /proc/net/tcp */
  dataFolder: string
}

export function holderCheck(url: string, { isTrusted, dataFolder }: Trust): CheckHolder {
  if (isTrusted) return async () => null
  const { hostname, port, protocol, host } = new URL(url)
  const addresses = LOOPBACK[hostname]
  if (addresses === undefined)
    return async () => `${host} is not an address of this computer, where the server listens. ${WAY_OUT}`
  if (!existsSync('/proc/net/tcp')) return () => announcedFault(url, dataFolder)
  const number = Number(port || (protocol === 'https:' ? 443 : 80))
  return async () => {
    let users = usersAt(addresses, number)
    if (users.length === 0) {
      if (!(await acceptsAt(addresses, number))) return null
      // A server that has started meanwhile is listed now.
      users = usersAt(addresses, number)
      if (users.length === 0)
        return `The system does not report which user's program listens at ${host}, so nothing was sent. ${WAY_OUT}`
    }
    const own = [process.geteuid?.(), ROOT]
    const other = users.find((user) => !own.includes(user))
    return other === undefined
      ? null
      : `A program of another user (${other}) listens at ${host}, so nothing was sent. ${WAY_OUT}`
  }
}

const ROOT = 0
const CONNECT_WITHIN_MS = 5000
/** The last two are ::ffff:127.0.0.1 and ::ffff:0.0.0.0, at which an IPv6 socket accepts IPv4 connections. */
const REACHED_BY_V4 = ['127.0.0.1', '0.0.0.0', '::', '::ffff:7f00:1', '::ffff:0:0']
const REACHED_BY_V6 = ['::1', '::']
/** Every local address that a connection to this name can reach. */
const LOOPBACK: Record<string, readonly string[]> = {
  '127.0.0.1': REACHED_BY_V4,
  '[::1]': REACHED_BY_V6,
  localhost: [...REACHED_BY_V4, ...REACHED_BY_V6],
}

const WAY_OUT =
  'If this is intended (a forwarded port, a container), name the address with --server or DICTATION_URL and add --trust-server.'

/** The users whose sockets listen there. */
const usersAt = (addresses: readonly string[], port: number): number[] =>
  addresses.flatMap((address) => {
    const nowhere = { address: address.includes(':') ? '::' : '0.0.0.0', port: 0 }
    const row = findInTables({ address, port }, nowhere)
    return row === null ? [] : [row.uid]
  })

/** Whether any program accepts a connection, listed or not. Sends nothing. */
async function acceptsAt(addresses: readonly string[], port: number): Promise<boolean> {
  const dialled = ['127.0.0.1', '::1'].filter((address) => addresses.includes(address))
  const attempts = await Promise.all(dialled.map((address) => accepts(address, port)))
  return attempts.includes(true)
}

const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_WITHIN_MS })
    const settle = (accepted: boolean) => {
      socket.destroy()
      resolve(accepted)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
    // No reply: the packets may be forwarded elsewhere, and so would those of a request.
    socket.once('timeout', () => settle(true))
  })

type Announced = { pid: number; url: string }

/** The address that the server of that data folder announced; it may have ended since. */
async function announcedServer(dataFolder: string): Promise<Announced | null> {
  const holder = await readHolder(dataFolder)
  return holder?.url ? { pid: holder.pid, url: holder.url } : null
}

/** Only the owner can write to the folder, so only a server of this user can have announced itself in it. */
export async function announcedFault(url: string, dataFolder: string): Promise<string | null> {
  const announced = await announcedServer(dataFolder)
  if (announced === null || processState(announced.pid) !== 'own')
    return `No server of yours has announced ${url} in ${dataFolder}, so nothing was sent. ${WAY_OUT}`
  if (URL.parse(announced.url)?.origin === new URL(url).origin) return null
  return `Your server listens at ${announced.url}, not at ${url}, so nothing was sent. ${WAY_OUT}`
}
