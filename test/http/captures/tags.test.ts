// Tags over HTTP: their limits and errors, the filter and the suggestions. On a real database; the recogniser is a stub.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listCapturesRoute, updateCaptureRoute } from '../../../src/http/captures/captures.ts'
import { tagsRoute } from '../../../src/http/captures/tags.ts'
import { finishedCapture, openArchive } from '../../support/archive.ts'
import { webOf } from '../../support/web.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

const archive = await openArchive()
afterAll(() => archive[Symbol.asyncDispose]())
const { captures } = archive
const { call } = await webOf([
  listCapturesRoute(captures),
  updateCaptureRoute({ captures, styles: { get: () => null } }),
  tagsRoute(captures),
])
const get = async (path: string): Promise<Json> => (await call(path)).json() as Promise<Json>
async function patch(id: string, body: object): Promise<{ status: number; body: Json }> {
  const response = await call(`/captures/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

let id = ''
beforeAll(async () => {
  id = (await finishedCapture(archive)).id
})

test('replaces, adds and removes tags in one change, and lists and suggests them', async () => {
  expect((await patch(id, { tags: ['Work', 'old'] })).body).toMatchObject({ tags: ['Work', 'old'] })
  const changed = await patch(id, { add_tags: [' Board  meeting ', 'WORK'], remove_tags: ['OLD', 'unknown'] })
  expect(changed).toMatchObject({ status: 200, body: { tags: ['Work', 'Board meeting'] } })
  expect((await patch(id, { title: 'Plans' })).body).toMatchObject({ tags: ['Work', 'Board meeting'] })
  expect(await get('/captures?tag=board%20MEETING')).toMatchObject({ total: 1, items: [{ id }] })
  expect((await get('/captures?tag=board')).total).toBe(0)
  expect(await get('/captures/tags')).toEqual({
    items: [
      { tag: 'Board meeting', capture_count: 1 },
      { tag: 'Work', capture_count: 1 },
    ],
    total: 2,
  })
  expect(await get('/captures/tags?limit=1&offset=1')).toMatchObject({ items: [{ tag: 'Work' }], total: 2 })
})

test('names each wrong tag and each limit, and changes nothing', async () => {
  await patch(id, { tags: ['one'] })
  const many = Array.from({ length: 21 }, (_, at) => `tag ${at}`)
  const faults = async (body: object) => {
    const answer = await patch(id, body)
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
    return answer.body.errors.map(({ path, message }: Json) => `${path} ${message}`)
  }
  expect(await faults({ tags: ['fine', 'a,b', '  ', 'a\tb'] })).toEqual([
    '/tags/1 must not contain a comma or a control character',
    '/tags/2 must not be empty',
    '/tags/3 must not contain a comma or a control character',
  ])
  expect(await faults({ add_tags: ['x'.repeat(51)] })).toEqual([expect.stringContaining('/add_tags/0 ')])
  expect(await faults({ tags: [''] })).toHaveLength(1)
  expect(await faults({ tags: 'one' })).toHaveLength(1)
  expect(await faults({ tags: many })).toEqual([expect.stringContaining('20')])
  expect(await faults({ add_tags: many.slice(1) })).toEqual([
    '/add_tags would give the capture more than 20 tags; remove some first',
  ])
  expect((await call('/captures?tag=')).status).toBe(422)
  expect((await captures.get(id))!.tags).toEqual(['one'])
})
