// The search words and filters of the list, as parameters of the page's address and of the server's API.

import { parseDates } from '../../text/query-dates.ts'

const FILTERS = [
  'source',
  'app',
  'language',
  'status',
  'model',
  'tag',
  'since',
  'until',
  'starred',
  'trashed',
] as const

export type CaptureFilterName = (typeof FILTERS)[number]

/** Filters that are either set or absent. */
const FLAGS = new Set<CaptureFilterName>(['starred', 'trashed'])

const SORTS = ['-recorded_at', 'recorded_at', '-duration_ms'] as const

/** '' for the default: the best matches first if words are searched, else the newest. */
export type ListSort = (typeof SORTS)[number] | ''

export type ListQuery = { q: string; sort: ListSort; filters: { [name in CaptureFilterName]?: string } }

export const EVERYTHING: ListQuery = { q: '', sort: '', filters: {} }

/** Whether it searches for words, and not only by date. */
export const hasWords = ({ q }: Pick<ListQuery, 'q'>): boolean => parseDates(q).words.trim() !== ''

/** The sort orders to choose from. The first is the default. */
export const sortsFor = (query: ListQuery): readonly ListSort[] =>
  !hasWords(query) ? ['', ...SORTS.filter((sort) => sort !== '-recorded_at')] : ['', ...SORTS]

export const isByTime = (query: ListQuery): boolean =>
  query.sort === '' ? !hasWords(query) : query.sort !== '-duration_ms'

/** Ignores all other parameters. */
export function captureQueryOf(address: URLSearchParams): ListQuery {
  const filters: ListQuery['filters'] = {}
  for (const name of FILTERS) {
    const value = address.get(name)
    if (value && (!FLAGS.has(name) || value === 'true')) filters[name] = value
  }
  const sort = SORTS.find((name) => name === address.get('sort')) ?? ''
  return { q: address.get('q') ?? '', sort, filters }
}

/** The parameters of the address, without empty values. */
export const addressOfQuery = ({ q, sort, filters }: ListQuery): Record<string, string> => ({
  ...(q !== '' && { q }),
  ...(sort !== '' && { sort }),
  ...filters,
})

export const filtersInOrder = ({ filters }: ListQuery): [CaptureFilterName, string][] =>
  FILTERS.flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [[name, value]]
  })

export const withFilter = (query: ListQuery, name: CaptureFilterName, value: string | null): ListQuery => {
  const { [name]: _former, ...others } = query.filters
  return { ...query, filters: value ? { ...others, [name]: value } : others }
}

/** Page size. */
export const LIST_PAGE = 50

/** The first rows do not wait for the total. */
export const firstPagePath = (query: ListQuery): string =>
  listPath(query, { limit: LIST_PAGE, offset: 0, isCounted: false })

/** With search words the server counts anyway, to rank the matches. */
export const isCountedAtOnce = hasWords

/** Days are in the browser's time zone. */
export function listPath(
  query: ListQuery,
  { limit, offset, isCounted = true }: { limit: number; offset: number; isCounted?: boolean },
): string {
  const words = query.q.trim()
  const days = query.filters.since || query.filters.until || words !== ''
  const parameters = new URLSearchParams({
    ...query.filters,
    ...(words !== '' && { q: words }),
    ...(query.sort !== '' && { sort: query.sort }),
    ...(days && { tz: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    limit: String(limit),
    offset: String(offset),
    ...(!isCounted && { count: 'false' }),
  })
  return `/captures?${parameters}`
}
