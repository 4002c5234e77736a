// The operations that only read. Some disconnect during the response, as closed pages do.

import { type Operation, OR_GONE, turnsAmong, type World } from './operation.ts'

const PAGES: [route: string, path: string, weight: number][] = [
  ['health', '/health', 6],
  ['list', '/captures?limit=20', 4],
  ['search', '/captures?q=the+soak', 4],
  ['search for a phrase', '/captures?q=%22first+words%22&source=dictation', 2],
  ['statistics', '/captures/stats?tz=Europe/Berlin', 2],
  ['apps', '/captures/apps', 1],
  ['jobs', '/jobs?limit=20', 2],
  ['tasks', '/tasks/active', 2],
  ['models', '/models/status', 1],
  ['readiness', '/capture/readiness', 1],
  ['metrics', '/metrics', 1],
  ['file system', '/health/filesystem', 1],
  ['document', '/openapi.json', 1],
  ['settings', '/settings/captures', 1],
  ['dictionary', '/dictionary', 1],
  ['styles', '/writing-styles', 1],
  ['commands', '/commands', 1],
  ['history of commands', '/commands/history', 1],
]

const OF_CAPTURE: [route: string, path: string, weight: number][] = [
  ['capture', '', 8],
  ['audio', '/audio', 3],
  ['audio as WAV', '/audio?format=wav', 1],
  ['waveform', '/waveform?points=200', 2],
  ['versions', '/versions', 1],
  ['export as text', '/export?format=txt', 1],
  ['export as captions', '/export?format=srt', 1],
  ['export as JSON', '/export?format=json', 1],
]

const next = turnsAmong([3, 0, 5, 1, 7, 2, 6, 4])

/** @returns null while there is none */
export const anyOf = ({ recent }: World): string | null => recent[next() % Math.max(1, recent.length)] ?? null

const REJECTED: [path: string, status: number][] = [
  ['/no-such-route', 404],
  ['/captures?limit=9999', 422],
  ['/captures/019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c11', 404],
]
const nextRejected = turnsAmong(REJECTED)

const read = async (response: Response, reads: number): Promise<void> => {
  const reader = response.body!.getReader()
  for (let done = 0; done < reads; done++) await reader.read()
}

export const readOperations: Operation[] = [
  ...PAGES.map(([route, path, weight]) => ({
    weight,
    run: ({ client }: World) => client.request(path, { route }),
  })),
  ...OF_CAPTURE.map(([route, path, weight]) => ({
    weight,
    run: async (world: World) => {
      const id = anyOf(world)
      // 409 and 422: captures with running jobs, or without decodable audio.
      const expect = [...OR_GONE, 409, 410, 422]
      if (id !== null) await world.client.request(`/captures/${id}${path}`, { route, expect })
    },
  })),
  {
    weight: 1,
    run: async (world) => {
      const id = anyOf(world)
      const headers = { range: 'bytes=100-999' }
      const expect = [206, 404, 410]
      if (id !== null)
        await world.client.request(`/captures/${id}/audio`, { route: 'audio, a range', headers, expect })
    },
  },
  {
    weight: 1,
    run: async (world) => {
      const id = anyOf(world)
      if (id !== null)
        await world.client.drop(`/captures/${id}/audio`, { route: '' }, (response) => read(response, 1))
    },
  },
  {
    weight: 4,
    run: ({ client }) => client.drop('/events', { route: '' }, (response) => read(response, 1)),
  },
  {
    weight: 1,
    run: ({ client }) => client.drop('/events', { route: '' }, () => Bun.sleep(3000)),
  },
  {
    weight: 1,
    run: ({ client }) =>
      client.request('/captures/export', {
        route: 'export of many',
        json: { filter: { source: 'dictation' }, format: 'md', audio: true },
      }),
  },
  {
    weight: 1,
    run: ({ client }) => {
      const json = { filter: { since: '1970-01-01' }, audio: true }
      return client.drop('/captures/export', { route: '', json }, (response) => read(response, 1))
    },
  },
  {
    weight: 2,
    run: ({ client }) => {
      const [path, status] = nextRejected()
      return client.request(path, { route: 'rejected', expect: [status] })
    },
  },
  {
    weight: 1,
    run: ({ client }) =>
      client.request('/captures', {
        ...{ route: 'rejected without the token', headers: { authorization: '' }, expect: [401] },
      }),
  },
]
