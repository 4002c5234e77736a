// The route of corrections. Files, database and queue are real; the recogniser is a hand-written function.

import { afterAll, expect, test } from 'bun:test'
import { segmentRoute } from '../../src/http/captures/correct-segment.ts'
import { capture, finishedCapture, openArchive } from '../support/archive.ts'
import { webOf } from '../support/web.ts'

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the expectations say
type Json = Record<string, any>

const archive = await openArchive()
afterAll(() => archive[Symbol.asyncDispose]())
const { call } = await webOf([segmentRoute(archive.captures)])
const patch = async (path: string, body: Json) => {
  const headers = { 'content-type': 'application/json' }
  const response = await call(path, { method: 'PATCH', body: JSON.stringify(body), headers })
  return { status: response.status, body: (await response.json()) as Json }
}

test('a segment is corrected, and a refined text that does not know of it is named', async () => {
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

test('refuses numbers, texts and captures that are none', async () => {
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

test('refuses while a job works on the capture, and names it', async () => {
  await using busy = await openArchive({ working: false })
  const { capture: made, jobId } = await capture(busy)
  const { call: callBusy } = await webOf([segmentRoute(busy.captures)])
  const response = await callBusy(`/captures/${made.id}/segments/0`, {
    ...{ method: 'PATCH', body: '{"text":"x"}', headers: { 'content-type': 'application/json' } },
  })
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({ code: 'capture_busy', conflict_id: jobId })
})
