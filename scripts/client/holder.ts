// Whose program listens at the address that a script is about to send a token and recordings to.
// Any user of a computer may take a port that the server has not taken yet; what is sent there is the user's own.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, type Result, succeed } from '../../src/lib/result.ts'
import { findInTables } from '../../src/lib/socket-table.ts'

/** Why nothing may be sent there; null: the program is the user's own, or root's. */
export type CheckHolder = () => Promise<string | null>

export type Trust = {
  /** the person has named an address and said that it is to be believed */
  isTrusted: boolean
  /** where the server of this user says that it listens, for systems that tell of no sockets */
  dataFolder: string
}

export function holderCheck(url: string, { isTrusted, dataFolder }: Trust): CheckHolder {
  if (isTrusted) return async () => null
  const { hostname, port, protocol, host } = new URL(url)
  const addresses = LOOPBACK[hostname]
  if (addresses === undefined)
    return async () => `${host} is no address of this computer, where the server listens. ${WAY_OUT}`
  if (!existsSync('/proc/net/tcp')) return () => announcedFault(url, dataFolder)
  const number = Number(port || (protocol === 'https:' ? 443 : 80))
  return async () => {
    const own = [process.geteuid?.(), ROOT]
    const other = usersAt(addresses, number).find((user) => !own.includes(user))
    return other === undefined
      ? null
      : `A program of another user (${other}) listens at ${host}, so nothing was sent. ${WAY_OUT}`
  }
}

/** Whether a person says that an address is to be believed; a failure where the address was not named as well. */
export function readTrust(isGiven: boolean, isNamed: boolean): Result<boolean, string> {
  const isTrusted = isGiven || process.env.DICTATION_TRUST_SERVER === 'yes'
  return isTrusted && !isNamed
    ? fail('--trust-server needs the address that is trusted, by --server or DICTATION_URL.')
    : succeed(isTrusted)
}

const ROOT = 0
/** All that a connection may reach which names the address: a socket may also listen at every address. */
const LOOPBACK: Record<string, readonly string[]> = {
  '127.0.0.1': ['127.0.0.1', '0.0.0.0', '::'],
  '[::1]': ['::1', '::'],
  localhost: ['127.0.0.1', '0.0.0.0', '::1', '::'],
}

const WAY_OUT =
  'If that is meant (a forwarded port, a container), name the address with --server or DICTATION_URL and add --trust-server.'

/** The users whose sockets listen there. */
const usersAt = (addresses: readonly string[], port: number): number[] =>
  addresses.flatMap((address) => {
    const nowhere = { address: address.includes(':') ? '::' : '0.0.0.0', port: 0 }
    const row = findInTables({ address, port }, nowhere)
    return row === null ? [] : [row.uid]
  })

export type Announced = { pid: number; url: string }

/** Where the server on that data folder said that it listens; it may have ended since. */
export async function announcedServer(dataFolder: string): Promise<Announced | null> {
  const text = await readFile(join(dataFolder, 'instance.json'), 'utf8').catch(() => '')
  const found = /"pid":(\d{1,10}),"url":"(http:\/\/[^"\\]{1,200})"/.exec(text)
  return found === null ? null : { pid: Number(found[1]), url: found[2]! }
}

/** The folder is its owner's alone, so that only a server of this user can have announced itself in it. */
export async function announcedFault(url: string, dataFolder: string): Promise<string | null> {
  const announced = await announcedServer(dataFolder)
  if (announced === null || !isAlive(announced.pid))
    return `No server of yours has said in ${dataFolder} that it listens at ${url}, so nothing was sent. ${WAY_OUT}`
  if (URL.parse(announced.url)?.origin === new URL(url).origin) return null
  return `Your server listens at ${announced.url} and not at ${url}, so nothing was sent. ${WAY_OUT}`
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
