// Which view the page is at: the part of the address behind `#`, since paths are the API's.
// What is shown there is views.ts's.

import { signal } from '@preact/signals'

export type Address = {
  /** words of the path: `#/captures/019a…` is `['captures', '019a…']`; none for the first view */
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
    // A link that was cut leads to a view that says there is no such thing.
    return word
  }
}

/** A link to a view. Empty parameters are left out. */
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

/** Changes the address of the view that is shown, without a step to go back to. */
export function replaceAddress(...to: Parameters<typeof linkTo>): void {
  history.replaceState(null, '', linkTo(...to))
  address.value = parseAddress(location.hash)
}
