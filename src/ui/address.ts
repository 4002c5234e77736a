// Client-side routing in the `#` part of the address: paths belong to the API.

import { signal } from '@preact/signals'

export type Address = {
  /** path segments: `#/captures/019a…` is `['captures', '019a…']`; empty for the first view */
  path: readonly string[]
  query: URLSearchParams
}

export const address = signal<Address>(parseAddress(location.hash))

addEventListener('hashchange', () => {
  address.value = parseAddress(location.hash)
})

export function parseAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const words = path.split('/').filter((word) => word !== '')
  return { path: words.map(decode), query: new URLSearchParams(query) }
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    // A truncated link leads to the "not found" view instead of throwing.
    return word
  }
}

/** A link to a view, without empty parameters. */
export function linkTo(
  path: readonly string[],
  query: Record<string, string | null | undefined> = {},
): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const search = new URLSearchParams(given as [string, string][]).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search && `?${search}`}`
}

export const goTo = (...to: Parameters<typeof linkTo>): void => {
  location.hash = linkTo(...to)
}

/** Replaces the current address without adding a history entry. */
export function replaceAddress(...to: Parameters<typeof linkTo>): void {
  history.replaceState(null, '', linkTo(...to))
  address.value = parseAddress(location.hash)
}
