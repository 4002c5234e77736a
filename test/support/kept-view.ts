// Everything that a user would miss, as a server shows it: captures with their audio, settings, dictionary, styles,
// commands. Each is one line of text, so that two views can be compared; times and usage counts are left out.

import { until } from './until.ts'

/** A request of the harness, which may count it. */
export type FetchApi = (path: string, init?: RequestInit) => Promise<Response>

export const GONE = 'gone'
/** Accepted with 202: the batch deletes it later, as long as the database is there. */
export const GONE_BY_BATCH = 'gone by a batch'
const SETTLED_WITHIN_MS = 600_000

/** `capture <id>`, `settings`, or the path of a list. */
export type Key = string

export const sha256 = (bytes: ArrayBuffer | Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

const json = async (fetchApi: FetchApi, path: string) => {
  const response = await fetchApi(path)
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as { items: Record<string, unknown>[]; total: number } & Record<
    string,
    unknown
  >
}

/** A short digest of any number of segments. */
export const textsOf = (segments: { text: string }[]): string =>
  sha256(Buffer.from(JSON.stringify(segments.map(({ text }) => text))))

async function viewCapture(fetchApi: FetchApi, id: string): Promise<string> {
  const response = await fetchApi(`/captures/${id}`)
  const found = (await response.json()) as Record<string, unknown>
  if (response.status === 404) return GONE
  if (!response.ok) throw new Error(`GET /captures/${id} answered ${response.status}`)
  const audio = await fetchApi(`/captures/${id}/audio`)
  const bytes = await audio.arrayBuffer()
  const hash = audio.ok ? sha256(bytes) : `no audio: ${audio.status}`
  const { total } = await json(fetchApi, `/captures/${id}/versions`)
  const { title, starred, status, transcript_raw, transcript_refined, audio_available } = found
  const segments = textsOf(found.segments as { text: string }[])
  const shown = { audio_available, title, starred, status, transcript_raw, transcript_refined, segments }
  return JSON.stringify({ audio: hash, ...shown, trashed: found.trashed_at !== null, versions: total })
}

const PASSING = /"(usage_count|last_used_at|updated_at|created_at)":[^,}]*,?/g

async function viewShelf(fetchApi: FetchApi, shelf: string): Promise<string> {
  if (shelf === 'settings') return JSON.stringify(await json(fetchApi, '/settings/captures'))
  const { items } = await json(fetchApi, `/${shelf}?limit=200`)
  const own = items
    .filter(({ source, kind, is_default }) => (source !== 'built_in' && kind !== 'builtin') || is_default)
    .map((item) => JSON.stringify(item))
  return own.toSorted().join('\n').replaceAll(PASSING, '')
}

export const view = (fetchApi: FetchApi, key: Key): Promise<string> =>
  key.startsWith('capture ') ? viewCapture(fetchApi, key.slice('capture '.length)) : viewShelf(fetchApi, key)

const PAGE = 100

/** All captures, including the trash. */
async function allCaptures(fetchApi: FetchApi): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  for (const trashed of [false, true])
    for (let offset = 0; ; offset += PAGE) {
      const { items } = await json(fetchApi, `/captures?limit=${PAGE}&offset=${offset}&trashed=${trashed}`)
      found.push(...items)
      if (items.length < PAGE) break
    }
  return found
}

export const captureIds = async (fetchApi: FetchApi): Promise<string[]> =>
  (await allCaptures(fetchApi)).map(({ id }) => String(id))

/** A sentence for each capture without audio, except those whose audio was deleted by a retention rule. */
export const withoutAudio = async (fetchApi: FetchApi): Promise<string[]> =>
  (await allCaptures(fetchApi))
    .filter(({ audio_available }) => audio_available !== true)
    .map(({ id }) => `capture ${id} counts as one without audio`)

/** Waits until no job is waiting or active, and no batch is open. */
export async function settle(fetchApi: FetchApi): Promise<void> {
  await until(
    async () => {
      const { queue } = (await json(fetchApi, '/health')) as unknown as {
        // null if counting takes the database too long
        queue: { waiting: number | null; active: number | null }
      }
      const batches = await fetchApi('/jobs/batches')
      // The database may be reopening after a disk failure.
      if (batches.status === 503) return false
      const { items } = (await batches.json()) as { items: { state: string }[] }
      return queue.waiting === 0 && queue.active === 0 && items.every(({ state }) => state !== 'running')
    },
    { timeoutMs: SETTLED_WITHIN_MS, what: 'all jobs to end' },
  )
}
