// What of the captures is asked for: words and filters, as they stand in the address and as the server takes them.
// What the server finds is capture-list.ts's.

const FILTERS = [
  'source',
  'app',
  'language',
  'status',
  'model',
  'since',
  'until',
  'starred',
  'trashed',
] as const

export type CaptureFilterName = (typeof FILTERS)[number]

/** Set, or not there. */
const FLAGS = new Set<CaptureFilterName>(['starred', 'trashed'])

export type CapturesAsked = { q: string; filters: { [name in CaptureFilterName]?: string } }

/** What the address says besides is passed over. */
export function captureQueryOf(address: URLSearchParams): CapturesAsked {
  const filters: CapturesAsked['filters'] = {}
  for (const name of FILTERS) {
    const value = address.get(name)
    if (value && (!FLAGS.has(name) || value === 'true')) filters[name] = value
  }
  return { q: address.get('q') ?? '', filters }
}

/** As parameters of the address: what is not asked for is not there. */
export const addressOfQuery = ({ q, filters }: CapturesAsked): Record<string, string> => ({
  ...(q !== '' && { q }),
  ...filters,
})

export const filtersInOrder = ({ filters }: CapturesAsked): [CaptureFilterName, string][] =>
  FILTERS.flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [[name, value]]
  })

export const withFilter = (
  query: CapturesAsked,
  name: CaptureFilterName,
  value: string | null,
): CapturesAsked => {
  const { [name]: _former, ...others } = query.filters
  return { q: query.q, filters: value ? { ...others, [name]: value } : others }
}

/** How many are asked for at first, and with each further page. */
export const LIST_PAGE = 50

/** The first rows do not wait until all are counted. */
export const firstPagePath = (query: CapturesAsked): string =>
  listPath(query, { limit: LIST_PAGE, offset: 0, isCounted: false })

/** Words are counted in any case, on the way to the best matches. */
export const isCountedAtOnce = ({ q }: CapturesAsked): boolean => q.trim() !== ''

/** Days are those of whoever looks at the page. */
export function listPath(
  query: CapturesAsked,
  { limit, offset, isCounted = true }: { limit: number; offset: number; isCounted?: boolean },
): string {
  const words = query.q.trim()
  const days = query.filters.since || query.filters.until
  const asked = new URLSearchParams({
    ...query.filters,
    ...(words !== '' && { q: words }),
    ...(days && { tz: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    limit: String(limit),
    offset: String(offset),
    ...(!isCounted && { count: 'false' }),
  })
  return `/captures?${asked}`
}
