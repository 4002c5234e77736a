// The search words and filters of the list, as parameters of the page's address and of the server's API.

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

/** Filters that are either set or absent. */
const FLAGS = new Set<CaptureFilterName>(['starred', 'trashed'])

export type ListQuery = { q: string; filters: { [name in CaptureFilterName]?: string } }

/** Ignores all other parameters. */
export function captureQueryOf(address: URLSearchParams): ListQuery {
  const filters: ListQuery['filters'] = {}
  for (const name of FILTERS) {
    const value = address.get(name)
    if (value && (!FLAGS.has(name) || value === 'true')) filters[name] = value
  }
  return { q: address.get('q') ?? '', filters }
}

/** The parameters of the address, without empty values. */
export const addressOfQuery = ({ q, filters }: ListQuery): Record<string, string> => ({
  ...(q !== '' && { q }),
  ...filters,
})

export const filtersInOrder = ({ filters }: ListQuery): [CaptureFilterName, string][] =>
  FILTERS.flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [[name, value]]
  })

export const withFilter = (query: ListQuery, name: CaptureFilterName, value: string | null): ListQuery => {
  const { [name]: _former, ...others } = query.filters
  return { q: query.q, filters: value ? { ...others, [name]: value } : others }
}

/** Page size. */
export const LIST_PAGE = 50

/** The first rows do not wait for the total. */
export const firstPagePath = (query: ListQuery): string =>
  listPath(query, { limit: LIST_PAGE, offset: 0, isCounted: false })

/** With search words the server counts anyway, to rank the matches. */
export const isCountedAtOnce = ({ q }: ListQuery): boolean => q.trim() !== ''

/** Day filters are in the browser's time zone. */
export function listPath(
  query: ListQuery,
  { limit, offset, isCounted = true }: { limit: number; offset: number; isCounted?: boolean },
): string {
  const words = query.q.trim()
  const days = query.filters.since || query.filters.until
  const parameters = new URLSearchParams({
    ...query.filters,
    ...(words !== '' && { q: words }),
    ...(days && { tz: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    limit: String(limit),
    offset: String(offset),
    ...(!isCounted && { count: 'false' }),
  })
  return `/captures?${parameters}`
}
