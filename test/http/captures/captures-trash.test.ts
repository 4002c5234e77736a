// The trash routes. Files, database and queue are real; the recogniser is a stub.

import { afterAll, expect, test } from 'bun:test'
import {
  captureTrashRoutes,
  deleteCaptureRoute,
  getCaptureRoute,
  listCapturesRoute,
} from '../../../src/http/captures/captures.ts'
import { finishedCapture, openArchive } from '../../support/archive.ts'
import { webOf } from '../../support/web.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

const archive = await openArchive()
afterAll(() => archive[Symbol.asyncDispose]())
const { call } = await webOf([
  ...captureTrashRoutes(archive.captures),
  listCapturesRoute(archive.captures),
  getCaptureRoute(archive.captures),
  deleteCaptureRoute(archive.captures),
])
const post = async (path: string) => {
  const response = await call(path, { method: 'POST' })
  return { status: response.status, body: (await response.json()) as Json }
}

test('moves a capture to the trash and back', async () => {
  const { id } = await finishedCapture(archive)
  const trashed = await post(`/captures/${id}/trash`)
  expect(trashed).toMatchObject({ status: 200, body: { id, segments: [{ text: 'hello' }] } })
  expect(trashed.body.trashed_at).toMatch(/^\d{4}-.*Z$/)
  expect(await (await call('/captures')).json()).toEqual({ items: [], total: 0 })
  // In the trash it can still be read, changed and deleted permanently.
  expect((await call(`/captures/${id}`)).status).toBe(200)
  expect(await post(`/captures/${id}/restore`)).toMatchObject({ status: 200, body: { trashed_at: null } })
  expect((await post(`/captures/${id}/trash`)).status).toBe(200)
  expect((await call(`/captures/${id}`, { method: 'DELETE' })).status).toBe(200)
})

test('refuses invalid ids, and reports unknown ones', async () => {
  for (const to of ['trash', 'restore']) {
    expect((await post(`/captures/x/${to}`)).status).toBe(422)
    expect(await post(`/captures/${crypto.randomUUID()}/${to}`)).toMatchObject({
      status: 404,
      body: { code: 'capture_not_found' },
    })
  }
})
