// Chooses the writing style of a text: the requested one, or the one that matches its page, application or category of
// application, or the default; a URL is matched by host and path.

import { type AppNames, categoryOf, keysOf } from '../text/app-categories.ts'
import type { WritingStyle } from './style.ts'

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

export type MatchedBy = 'id' | 'url' | 'app' | 'category' | 'default'

export type StyleContext = AppNames & {
  /** takes precedence, even if the style is disabled */
  writingStyleId: string | null
  appUrl: string | null
  /** null: looked up by application */
  category: string | null
  /** ISO 639-1 of the text; if unknown, styles for a single language never match */
  language: string | null
}

export type StyleMatch = { style: WritingStyle; matchedBy: MatchedBy }

/** `styles` has exactly one default. */
export function matchStyle(styles: readonly WritingStyle[], context: StyleContext): StyleMatch {
  const requestedId = context.writingStyleId?.toLowerCase()
  const requested = styles.find(({ id }) => id === requestedId)
  if (requested !== undefined) return { style: requested, matchedBy: 'id' }
  const candidates = styles.filter((style) => style.enabled && fitsLanguage(style, context.language))
  for (const [matchedBy, matcherOf] of matchersFor(context)) {
    const [best] = candidates
      .map((style) => ({ style, length: longest(matcherOf(style)) }))
      .filter(({ length }) => length > 0)
      .sort(byRank)
    if (best !== undefined) return { style: best.style, matchedBy }
  }
  return { style: styles.find(({ isDefault }) => isDefault)!, matchedBy: 'default' }
}

const fitsLanguage = ({ language }: WritingStyle, spoken: string | null): boolean =>
  language === null || language === spoken?.toLowerCase().split('-')[0]

/** The ways of matching, in order of precedence: each returns the patterns of a style that match. */
function matchersFor(context: StyleContext): [MatchedBy, (style: WritingStyle) => string[]][] {
  const keys = new Set(keysOf(context))
  const category = (context.category ?? categoryOf(context))?.trim().toLowerCase()
  const { appUrl } = context
  return [
    ['url', ({ urlPatterns }) => urlPatterns.filter((one) => appUrl !== null && matchesUrl(one, appUrl))],
    ['app', ({ apps }) => apps.filter((app) => isOneOf(keys, app))],
    ['category', ({ appCategories }) => appCategories.filter((one) => one.trim().toLowerCase() === category)],
  ]
}

/** A style may name an application by identifier or by name, and a client may send either. */
const isOneOf = (keys: ReadonlySet<string>, app: string): boolean => {
  const [whole] = keysOf({ appId: app, appName: null })
  const [name] = keysOf({ appId: null, appName: app })
  return (whole !== undefined && keys.has(whole)) || (name !== undefined && keys.has(name))
}

const longest = (matchers: readonly string[]): number => Math.max(0, ...matchers.map(({ length }) => length))

type Ranked = { style: WritingStyle; length: number }

/** By priority, then custom before built-in, then the longer pattern, then the older style. */
function byRank(one: Ranked, other: Ranked): number {
  const custom = ({ style }: Ranked) => (style.kind === 'custom' ? 1 : 0)
  return (
    other.style.priority - one.style.priority ||
    custom(other) - custom(one) ||
    other.length - one.length ||
    (one.style.id < other.style.id ? -1 : 1)
  )
}
