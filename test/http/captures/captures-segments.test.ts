// The correction route. Files, database and queue are real; the recogniser is a stub.

import { afterAll, expect, test } from 'bun:test'
import { getCaptureRoute, updateCaptureRoute } from '../../../src/http/captures/captures.ts'
import { segmentRoute } from '../../../src/http/captures/versions.ts'
import { capture, finishedCapture, openArchive } from '../../support/archive.ts'
import { webOf } from '../../support/web.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

const archive = await openArchive()
afterAll(() => archive[Symbol.asyncDispose]())
const { call } = await webOf([
  segmentRoute(archive.captures),
  getCaptureRoute(archive.captures),
  updateCaptureRoute({ captures: archive.captures, styles: { get: () => null } }),
])
const patch = async (path: string, body: Json) => {
  const headers = { 'content-type': 'application/json' }
  const response = await call(path, { method: 'PATCH', body: JSON.stringify(body), headers })
  return { status: response.status, body: (await response.json()) as Json }
}

test('corrects a segment, and warns if the refined text does not contain the words', async () => {
  const { id } = await finishedCapture(archive)
  const first = await patch(`/captures/${id}/segments/0`, { text: 'hullo' })
  expect(first).toMatchObject({
    status: 200,
    body: { id, transcript_raw: 'hullo', transcript_engine: 'hello', segments: [{ text: 'hullo' }] },
  })
  await archive.captures.update(id, { transcriptRefined: 'Something else.' })
  const second = await patch(`/captures/${id}/segments/0`, { text: 'hallo' })
  expect(second.body.warnings).toMatchObject([{ code: 'refined_text_is_older' }])
})

test('refuses invalid numbers, texts and captures', async () => {
  const { id } = await finishedCapture(archive)
  expect(await patch(`/captures/${id}/segments/1`, { text: 'x' })).toMatchObject({
    status: 404,
    body: { code: 'segment_not_found' },
  })
  expect(await patch(`/captures/${crypto.randomUUID()}/segments/0`, { text: 'x' })).toMatchObject({
    status: 404,
    body: { code: 'capture_not_found' },
  })
  const wrong = await patch('/captures/x/segments/-1', { text: 'x'.repeat(10_001), more: 1 })
  expect(wrong.status).toBe(422)
  expect(wrong.body.errors.map((fault: Json) => `${fault.in} ${fault.path}`).toSorted()).toEqual([
    'body /more',
    'body /text',
    'path /id',
    'path /n',
  ])
})

test('refuses a correction while a job processes the capture, and names the job', async () => {
  await using busy = await openArchive({ working: false })
  const { capture: made, jobId } = await capture(busy)
  const { call: callBusy } = await webOf([segmentRoute(busy.captures)])
  const response = await callBusy(`/captures/${made.id}/segments/0`, {
    ...{ method: 'PATCH', body: '{"text":"x"}', headers: { 'content-type': 'application/json' } },
  })
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({ code: 'capture_busy', conflict_id: jobId })
})

test('returns the revision of a capture, and refuses a change to another revision', async () => {
  const { id } = await finishedCapture(archive)
  const path = `/captures/${id}`
  const change = async (to: string, body: Json, ifMatch?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    }
    const response = await call(to, { method: 'PATCH', body: JSON.stringify(body), headers })
    return {
      status: response.status,
      etag: response.headers.get('etag'),
      body: (await response.json()) as Json,
    }
  }
  const known = (await call(path)).headers.get('etag')!
  expect(known).toMatch(/^"\d+"$/)
  const first = await change(path, { transcript_refined: 'First.' }, known)
  expect([first.status, first.etag === known]).toEqual([200, false])
  for (const [to, body] of [
    [path, { title: 'Lost' }],
    [`${path}/segments/0`, { text: 'lost' }],
  ] as const) {
    const refused = await change(to, body, known)
    expect(refused).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
  }
  expect((await archive.captures.get(id))?.title).toBe(null)
  expect((await change(path, { title: 'Any' }, '*')).status).toBe(200)
  const latest = (await call(path)).headers.get('etag')!
  const segment = await change(`${path}/segments/0`, { text: 'hullo' }, `"0", ${latest}`)
  expect([segment.status, (await call(path)).headers.get('etag')]).toEqual([200, segment.etag])
  expect((await change(path, { title: 'Without' })).status).toBe(200)
})
