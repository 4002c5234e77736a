// The name and host names of this server, the origins of the pages that may use it, and the address that a client meant.

import { closestWord } from '../../lib/did-you-mean.ts'
import { addressOfAlias } from '../kernel/connection.ts'

/** Lets clients tell this server from other programs on its port. Users see "Local Dictation". */
export const SERVICE_NAME = 'local-dictation'

/** Origins and names that the user allows in addition to the built-in ones. */
export type AllowList = {
  /** compared exactly */
  origins: readonly string[]
  /** names of this computer besides localhost, such as `host.docker.internal`; with a port if it differs from the server's */
  hostNames: readonly string[]
}

/**
 * Pages of installed programs, by schemes that no web site can have. `http://tauri.localhost` and the like are not
 * included: such a name resolves to this computer, where any user may listen on its port.
 */
const PROGRAMS = /^(?:(?:tauri|app|vscode-webview):\/\/[^/?#\s,*]+|capacitor:\/\/localhost)$/

export const isAllowedForeign = (origin: string, origins: readonly string[]): boolean =>
  PROGRAMS.test(origin) || origins.includes(origin)

/** The Origin that browsers send for a page without one, and Electron for a page in a file. */
const WITHOUT_ORIGIN = ['null', 'file://']

/** Whether the user can allow this origin. */
export const isOrigin = (value: string): boolean =>
  WITHOUT_ORIGIN.includes(value) || /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s,*]+$/.test(value)

export const isHostName = (value: string): boolean =>
  /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/.test(value)

/** The port a server listens on, and the names that lead to it and to no other program. */
export type OwnAddress = { port: number; names: readonly string[] }

/** An address as written in a URL. */
export const urlHost = (address: string): string => (address.includes(':') ? `[${address}]` : address)

/**
 * The names of the addresses that a server listens on. Browsers resolve `localhost` to either loopback address, so it is
 * only included if the server listens on both: any program of any user could listen on the same port of the other one.
 */
export function ownNames(addresses: readonly string[]): string[] {
  const isBoth = ['127.0.0.1', '::1'].every((loopback) => addresses.includes(loopback))
  return [...(isBoth ? ['localhost'] : []), ...addresses.map(urlHost)]
}

/** The allowed Host headers. Port 80 may be omitted; any port may be omitted after a configured name, because a proxy may have forwarded the request. */
export const ownHosts = (listening: OwnAddress, hostNames: readonly string[] = []): string[] => [
  ...hostsAt(listening),
  ...hostNames.flatMap((name) => (name.includes(':') ? [name] : [name, `${name}:${listening.port}`])),
]

/** Whether this server served the page, and not a program on another port or address. */
export const isOwnOrigin = (
  origin: string,
  { port, names }: OwnAddress,
  hostNames: readonly string[] = [],
): boolean => {
  const added = hostNames.map((name) => name.replace(new RegExp(`:${port}$`), ''))
  const withoutPort = added.filter((name) => !name.includes(':'))
  return hostsAt({ port, names: [...names, ...withoutPort] }).some((host) => origin === `http://${host}`)
}

const hostsAt = ({ port, names }: OwnAddress): string[] => [
  ...names.map((name) => `${name}:${port}`),
  ...(port === 80 ? names : []),
]

/** Parses a comma-separated setting. */
function listOf(value: string, isOne: (one: string) => boolean, wrong: string): string[] | { wrong: string } {
  const list = value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return list.every(isOne) ? list : { wrong }
}

export const parseOrigins = (value: string) =>
  listOf(
    value,
    isOrigin,
    'must be origins such as http://localhost:5173, or null or file://, separated by commas, without a path or a *',
  )

export const parseHostNames = (value: string) =>
  listOf(
    value.toLowerCase(),
    isHostName,
    'must be names such as host.docker.internal, separated by commas, without http:// or a *',
  )

/** Shorter words, such as v1 and id, are in too many addresses. */
const MIN_WORD_LENGTH = 4

/** More than any of our addresses has; a path may have thousands. */
const MAX_WORDS = 8

/** A known alias, else the address with the most similar spelling, else the shortest one that shares most words with the path. */
export function nearestAddress(
  { method, path }: { method: string; path: string },
  addresses: readonly string[],
): string | null {
  const meant = addressOfAlias(method, path) ?? closestWord(path, addresses)
  if (meant !== null) return meant
  const wanted = wordsOf(path)
  const [best] = addresses
    .map((address) => ({ address, words: wordsOf(address) }))
    .map(({ address, words }) => ({
      address,
      shared: wanted.filter((word) => closestWord(word, words) !== null).length,
      parts: address.split('/').length,
    }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared || a.parts - b.parts)
  return best?.address ?? null
}

const wordsOf = (path: string): string[] =>
  path
    .split(/[/_-]/, 4 * MAX_WORDS)
    .filter((word) => word.length >= MIN_WORD_LENGTH && !word.startsWith('{'))
    .slice(0, MAX_WORDS)
