// Whether the address of a page is meant by a pattern such as `mail.google.com` or `*.example.com/wiki/*`.
// Which style that speaks for is match-style.ts.

/** Put before addresses and patterns that name none; it has no meaning here. */
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i

type Place = { host: string; port: string; path: string }

/**
 * - `example.com` is that host, with `www.` or without; `*.example.com` is the host and all below it.
 * - A path after it must be how the page's path begins, up to the next slash; `*` in it stands for any characters.
 * - A port counts only where the pattern has one. Schemes, queries and fragments never count; hosts and paths are
 *   compared without case.
 *
 * Time grows with the product of both lengths, whatever the pattern.
 */
export function matchesUrl(pattern: string, url: string): boolean {
  const [wanted, place] = [placeOf(pattern), placeOf(url)]
  if (wanted === null || place === null || wanted.host === '') return false
  if (wanted.port !== '' && wanted.port !== place.port) return false
  return matchesHost(wanted.host, place.host) && matchesPath(wanted.path, place.path)
}

/** Whether a pattern has a host, without which it would mean nothing. */
export const isUrlPattern = (pattern: string): boolean => (placeOf(pattern)?.host ?? '') !== ''

/** Without a parser of URLs: patterns have asterisks where those have none. Null for what has no host. */
function placeOf(address: string): Place | null {
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

/** An asterisk goes back only to where the last one stood, so there is nothing to explode. */
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
