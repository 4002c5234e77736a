// The operations that change something. They remove what they add, so that the data does not grow.

import { TOKEN } from './client.ts'
import { type Operation, OR_GONE, turnsAmong, type World } from './operation.ts'
import { anyOf } from './read-operations.ts'

const count = turnsAmong(Array.from({ length: 100_000 }, (_, index) => index))

const onCapture =
  (work: (world: World, path: string) => Promise<unknown>) =>
  async (world: World): Promise<void> => {
    const id = anyOf(world)
    if (id !== null) await work(world, `/captures/${id}`)
  }

/** Creates an object and deletes it. */
async function addAndRemove({ client }: World, path: string, route: string, json: unknown): Promise<void> {
  const created = await client.json<{ id: string }>(path, { route: `${route}: add`, json })
  if (created !== null)
    await client.request(`${path}/${created.id}`, {
      ...{ route: `${route}: remove`, method: 'DELETE', expect: [200, 204] },
    })
}

const TERMS = { language: 'en', smart_cleanup: true, typing_wpm: 45 }

export const writeOperations: Operation[] = [
  {
    weight: 5,
    run: onCapture(({ client }, path) =>
      client.request(path, {
        ...{ route: 'edit', method: 'PATCH', expect: [...OR_GONE, 409] },
        json: { transcript_refined: `The first words of the soak, ${count()}.`, starred: false },
      }),
    ),
  },
  {
    weight: 1,
    run: onCapture(({ client }, path) =>
      client.request(`${path}/segments/0`, {
        // A silent recording has no segment.
        ...{ route: 'edit of a segment', method: 'PATCH', expect: [...OR_GONE, 409, 422] },
        json: { text: 'The words of a segment.' },
      }),
    ),
  },
  {
    weight: 2,
    run: onCapture(async ({ client }, path) => {
      const expect = [...OR_GONE, 409]
      await client.request(`${path}/trash`, { route: 'trash', method: 'POST', expect })
      await client.request(`${path}/restore`, { route: 'restore', method: 'POST', expect })
    }),
  },
  {
    weight: 1,
    run: onCapture(({ client }, path) =>
      client.request(`${path}/refine`, { route: 'refine', json: {}, expect: [...OR_GONE, 202, 409, 422] }),
    ),
  },
  {
    weight: 1,
    run: onCapture(({ client }, path) =>
      client.request(`${path}/retranscribe?wait=0`, {
        ...{ route: 'retranscribe', json: {}, expect: [...OR_GONE, 202, 409, 410, 422] },
      }),
    ),
  },
  {
    weight: 1,
    run: ({ client, recent }) =>
      client.request('/captures/retranscribe', {
        ...{ route: 'batch of retranscriptions', json: { ids: recent.slice(0, 2) }, expect: [202, 422] },
      }),
  },
  {
    weight: 3,
    run: ({ client }) =>
      client.request('/settings/captures', {
        ...{ route: 'settings: change', method: 'PATCH' },
        json: { ...TERMS, typing_wpm: 40 + (count() % 20) },
      }),
  },
  {
    weight: 3,
    run: async ({ client }) => {
      await client.request('/session', { route: 'sign in', json: { token: TOKEN } })
      await client.request('/session', { route: 'sign out', method: 'DELETE', expect: [204] })
    },
  },
  {
    weight: 2,
    run: (world) =>
      addAndRemove(world, '/dictionary', 'dictionary', {
        ...{ type: 'replacement', word: `soak ${count()}`, replacement: 'Soak' },
      }),
  },
  {
    weight: 1,
    run: ({ client }) =>
      client.request('/dictionary/test', {
        ...{ route: 'dictionary: try' },
        json: { text: 'it is on git hub', entry: { word: 'git hub', replacement: 'GitHub' } },
      }),
  },
  {
    weight: 1,
    run: (world) =>
      addAndRemove(world, '/writing-styles', 'style', { name: `Soak ${count()}`, apps: [`App ${count()}`] }),
  },
  {
    weight: 1,
    run: (world) =>
      addAndRemove(world, '/commands', 'command', {
        ...{ name: `Soak ${count()}`, triggers: [`soak the list ${count()}`], steps: ['sort lines'] },
      }),
  },
  {
    weight: 2,
    run: ({ client }) =>
      client.request('/commands/run', {
        ...{ route: 'command: run', json: { command: 'title case', selected_text: 'the lord of the rings' } },
      }),
  },
]
