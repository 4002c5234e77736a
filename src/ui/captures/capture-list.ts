// The paged list of captures that match a query, updated by server events. Caches the last list, so that going back
// restores the scroll position.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { onServerEvent } from '../server/connection.ts'
import { request } from '../server/request.ts'
import type { ListedCapture, ListOf } from '../server/wire.ts'
import {
  addressOfQuery,
  firstPagePath,
  isCountedAtOnce,
  LIST_PAGE,
  type ListQuery,
  listPath,
} from './capture-query.ts'

/** The server's limit per page. */
const MOST = 200
/** Debounce: events come in bursts, and each reload is a request. */
const REFRESH_MS = 700
/** More than a screen shows; the remaining rows are rendered after these. */
const FIRST_ROWS = 10
/** Fallback for a hidden tab, which gets no animation frames. */
const UNSEEN_MS = 100

type CaptureList = {
  /** identifies the query */
  key: string
  items: readonly ListedCapture[]
  total: number
  /** false: the total is only a lower bound */
  isCounted: boolean
  /** `waiting` for the first page, `more` for a further page */
  state: 'waiting' | 'more' | 'ready'
  fault: Error | null
}

export const captureList = signal<CaptureList>({
  key: '',
  items: [],
  total: 0,
  isCounted: false,
  state: 'waiting',
  fault: null,
})

/** Progress of the job on a capture, 0 to 1, by capture id. */
export const workProgress = signal<ReadonlyMap<string, number>>(new Map())

const keyOf = (query: ListQuery): string => JSON.stringify(addressOfQuery(query))

let loading = new AbortController()

const requestPage = (query: ListQuery, page: { limit: number; offset: number }, stop: AbortSignal) =>
  request<ListOf<ListedCapture>>(listPath(query, page), { signal: stop })

/** Keeps the previous items visible until the response arrives. */
async function begin(query: ListQuery): Promise<void> {
  const key = keyOf(query)
  if (captureList.value.key === key && captureList.value.items.length > 0) return refresh(query)
  captureList.value = { ...captureList.value, key, state: 'waiting', fault: null }
  await load(query, async (stop) => {
    const page = await request<ListOf<ListedCapture>>(firstPagePath(query), { signal: stop })
    if (!stop.aborted) await showFirst(key, page)
    return { ...page, isCounted: isCountedAtOnce(query) || page.items.length === page.total }
  })
  if (!captureList.value.isCounted) await countList(query, loading.signal)
}

/** Shows the first rows at once: rendering all rows takes longer than loading them. */
async function showFirst(key: string, { items, total }: ListOf<ListedCapture>): Promise<void> {
  if (items.length <= FIRST_ROWS) return
  const first = items.slice(0, FIRST_ROWS)
  captureList.value = { key, items: first, total, isCounted: false, state: 'waiting', fault: null }
  await new Promise<void>((resolve) => {
    setTimeout(resolve, UNSEEN_MS)
    requestAnimationFrame(() => setTimeout(resolve))
  })
}

export async function loadMoreCaptures(query: ListQuery): Promise<void> {
  const { items, state } = captureList.value
  if (state !== 'ready') return
  captureList.value = { ...captureList.value, state: 'more' }
  await load(query, async (stop) => {
    const page = await requestPage(query, { limit: LIST_PAGE, offset: items.length }, stop)
    // New captures shift the others, so the next page may repeat the end of this one.
    const known = new Set(items.map(({ id }) => id))
    return { items: [...items, ...page.items.filter(({ id }) => !known.has(id))], total: page.total }
  })
}

/** Reloads as many items as are shown or requested: it replaces the request for a further page. */
async function refresh(query: ListQuery): Promise<void> {
  const { items: shown, state } = captureList.value
  const wanted = Math.max(LIST_PAGE, shown.length + (state === 'more' ? LIST_PAGE : 0))
  await load(query, async (stop) => {
    const items: ListedCapture[] = []
    for (;;) {
      const limit = Math.min(MOST, wanted - items.length)
      const page = await requestPage(query, { limit, offset: items.length }, stop)
      items.push(...page.items)
      if (items.length >= wanted || page.items.length < limit) return { items, total: page.total }
    }
  })
}

async function load(
  query: ListQuery,
  read: (stop: AbortSignal) => Promise<ListOf<ListedCapture> & { isCounted?: boolean }>,
): Promise<void> {
  loading.abort()
  loading = new AbortController()
  const { signal: stop } = loading
  const key = keyOf(query)
  try {
    const { items, total, isCounted = true } = await read(stop)
    if (!stop.aborted) captureList.value = { key, items, total, isCounted, state: 'ready', fault: null }
  } catch (error) {
    if (!stop.aborted) captureList.value = { ...captureList.value, state: 'ready', fault: error as Error }
  }
}

/** Runs after the rows are shown. The list works without the total, and the next event retries. */
async function countList(query: ListQuery, stop: AbortSignal): Promise<void> {
  const key = keyOf(query)
  const counted = await requestPage(query, { limit: 1, offset: 0 }, stop).catch(() => null)
  if (counted === null || stop.aborted || captureList.value.key !== key) return
  captureList.value = { ...captureList.value, total: counted.total, isCounted: true }
}

/** Optimistic update; the server's event then brings the actual result. */
export const showChanged = (id: string, change: Partial<ListedCapture>): void => {
  const { items } = captureList.value
  captureList.value = {
    ...captureList.value,
    items: items.map((one) => (one.id === id ? { ...one, ...change } : one)),
  }
}

export function showGone(ids: readonly string[]): void {
  const gone = new Set(ids)
  const items = captureList.value.items.filter(({ id }) => !gone.has(id))
  const total = captureList.value.total - (captureList.value.items.length - items.length)
  captureList.value = { ...captureList.value, items, total }
}

export function useCaptureList(query: ListQuery): void {
  const key = keyOf(query)
  useEffect(() => {
    void begin(query)
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = onServerEvent((event) => {
      if (event.name === 'model.progress') return
      if (event.name === 'job.progress') {
        workProgress.value = new Map(workProgress.value).set(event.capture_id, event.progress)
        return
      }
      timer ??= setTimeout(() => {
        timer = undefined
        void refresh(query)
      }, REFRESH_MS)
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [key])
}

export const retryCaptureList = (query: ListQuery): void => void refresh(query)

let top = 0
let address = ''

export const scrollPosition = {
  keep(): void {
    top = scrollY
    address = captureList.value.key
  },
  /** Applies only to the same list, before its first render. */
  restore(): void {
    if (address === captureList.value.key && top > 0) requestAnimationFrame(() => scrollTo(0, top))
  },
}
