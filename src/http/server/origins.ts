// The names under which this server may be asked, and the origins of the pages that may ask it.
// Only names; what becomes of a request that has another one is guard.ts's.

/** What a person adds to what is let in from the start. */
export type LetIn = {
  /** compared exactly */
  origins: readonly string[]
  /** names of this computer besides localhost: `host.docker.internal`, with a port where it is not the server's own */
  hostNames: readonly string[]
}

/**
 * Pages that installed programs bring along, by schemes that no web site can have. `http://tauri.localhost` and its
 * like are not among them: such a name leads to this computer, where any user may listen on its port.
 */
const PROGRAMS = /^(?:(?:tauri|app|vscode-webview):\/\/[^/?#\s,*]+|capacitor:\/\/localhost)$/

export const isForeignButLetIn = (origin: string, origins: readonly string[]): boolean =>
  PROGRAMS.test(origin) || origins.includes(origin)

/** What a browser says of a page that has no origin, and Electron of one in a file. */
const WITHOUT_ORIGIN = ['null', 'file://']

/** What can be let in by its name. */
export const isOrigin = (value: string): boolean =>
  WITHOUT_ORIGIN.includes(value) || /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s,*]+$/.test(value)

export const isHostName = (value: string): boolean =>
  /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/.test(value)

/** Where a server listens: its port, and the names that lead to it and to no other program. */
export type OwnAddress = { port: number; names: readonly string[] }

/** An address as it stands in a URL. */
export const urlHost = (address: string): string => (address.includes(':') ? `[${address}]` : address)

/**
 * The names of the addresses that a server listens on. A browser takes `localhost` for either loopback address: a server
 * on one of them alone leaves the same port of the other one, and that name with it, to any program of any user.
 */
export function ownNames(addresses: readonly string[]): string[] {
  const isBoth = ['127.0.0.1', '::1'].every((loopback) => addresses.includes(loopback))
  return [...(isBoth ? ['localhost'] : []), ...addresses.map(urlHost)]
}

/** A port of 80 goes unsaid. Of names that a person added any may, since something else may have forwarded the request. */
export const ownHosts = (listening: OwnAddress, hostNames: readonly string[] = []): string[] => [
  ...hostsAt(listening),
  ...hostNames.flatMap((name) => (name.includes(':') ? [name] : [name, `${name}:${listening.port}`])),
]

/** Whether this server, and no program on another port or address, served the page. */
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

/** Of a setting, separated by commas. */
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
