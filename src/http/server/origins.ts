// The names under which this server may be asked, and the origins of the pages that may ask it.
// Only names; what becomes of a request that has another one is guard.ts's.

/** What a person adds to what is let in from the start. */
export type LetIn = {
  /** compared exactly */
  origins: readonly string[]
  /** names of this computer besides localhost: `host.docker.internal`, with a port where it is not the server's own */
  hostNames: readonly string[]
}

/** Of the pages that installed programs bring along. No web site can have one: browsers give them to nobody. */
const PROGRAMS =
  /^(?:(?:tauri|app|vscode-webview):\/\/[^/?#\s,*]+|capacitor:\/\/localhost|https?:\/\/tauri\.localhost)$/

export const isProgramOrigin = (origin: string): boolean => PROGRAMS.test(origin)

export const isForeignButLetIn = (origin: string, origins: readonly string[]): boolean =>
  isProgramOrigin(origin) || origins.includes(origin)

/** What a browser says of a page that has no origin, and Electron of one in a file. */
const WITHOUT_ORIGIN = ['null', 'file://']

/** What can be let in by its name. */
export const isOrigin = (value: string): boolean =>
  WITHOUT_ORIGIN.includes(value) || /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s,*]+$/.test(value)

export const isHostName = (value: string): boolean =>
  /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/.test(value)

/** A port of 80 goes unsaid. Of names that a person added it may, since something else may have forwarded the request. */
export function ownHosts(port: number, hostNames: readonly string[] = []): string[] {
  const names = ['localhost', '127.0.0.1', '[::1]']
  const added = hostNames.flatMap((name) => (name.includes(':') ? [name] : [name, `${name}:${port}`]))
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : []), ...added]
}

/** Whether it is that of a page which this server served. */
export const isOwnOrigin = (origin: string, port: number, hostNames?: readonly string[]): boolean =>
  ownHosts(port, hostNames).some((host) => origin === `http://${host}`)

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
