// Matches the URL of a page against a pattern such as `mail.google.com` or `*.example.com/wiki/*`.

/** Addresses and patterns may have a scheme; it is ignored. */
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i

type Address = { host: string; port: string; path: string }

/**
 * - `example.com` matches that host, with or without `www.`; `*.example.com` matches the host and all its subdomains.
 * - A path must match the page's path, or the part of it before a slash; `*` in it matches any characters.
 * - A port is compared only if the pattern has one. Schemes, queries and fragments are ignored; hosts and paths are
 *   compared without case.
 *
 * Time is at most proportional to the product of both lengths.
 */
export function matchesUrl(pattern: string, url: string): boolean {
  const [wanted, actual] = [parseAddress(pattern), parseAddress(url)]
  if (wanted === null || actual === null || wanted.host === '') return false
  if (wanted.port !== '' && wanted.port !== actual.port) return false
  return matchesHost(wanted.host, actual.host) && matchesPath(wanted.path, actual.path)
}

/** A pattern without a host matches nothing. */
export const isUrlPattern = (pattern: string): boolean => (parseAddress(pattern)?.host ?? '') !== ''

/** Not parsed with URL, which does not accept asterisks. Null if the address cannot have a host. */
function parseAddress(address: string): Address | null {
  const trimmed = address.trim().toLowerCase()
  const scheme = SCHEME.exec(trimmed)?.[0] ?? ''
  if (scheme === '' && /^[a-z][a-z0-9+.-]*:(?!\d)/.test(trimmed)) return null
  const rest = trimmed.slice(scheme.length)
  const [authority = ''] = /^[^/?#]*/.exec(rest) ?? []
  const [, host = '', port = ''] = /^(?:.*@)?(\[[^\]]*\]|[^:\s]*)(?::(\d+))?$/.exec(authority) ?? []
  const path = rest.slice(authority.length).split(/[?#]/)[0] ?? ''
  return { host: host.replace(/\.$/, ''), port, path }
}

function matchesHost(wanted: string, host: string): boolean {
  if (wanted.startsWith('*.')) {
    const parent = wanted.slice(2)
    return matchesGlob(parent, host) || matchesGlob(`*.${parent}`, host)
  }
  return matchesGlob(withoutWww(wanted), withoutWww(host))
}

const withoutWww = (host: string): string => host.replace(/^www\./, '')

function matchesPath(wanted: string, path: string): boolean {
  const beginning = wanted.replace(/\/+$/, '')
  return beginning === '' || matchesGlob(beginning, path) || matchesGlob(`${beginning}/*`, path)
}

/** Backtracks only to the last asterisk, so the time cannot grow exponentially. */
function matchesGlob(pattern: string, text: string): boolean {
  let [at, from] = [0, 0]
  let [star, resume] = [-1, 0]
  while (from < text.length) {
    if (pattern[at] === '*') {
      star = at++
      resume = from
    } else if (at < pattern.length && pattern[at] === text[from]) {
      at++
      from++
    } else if (star !== -1) {
      at = star + 1
      from = ++resume
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
