// GET / and the files of the page.

import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { BUILT } from '../../../scripts/page.ts'
import { webOf } from '../../support/web.ts'

const html = { accept: 'text/html,application/xhtml+xml' }

test('returns the page to a browser, and the name of the server to a program', async () => {
  const { call } = await webOf([])
  const page = await call('/', { headers: html })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('/page/main.js')
  const response = await call('/')
  expect(response.headers.get('vary')).toContain('accept')
  expect(await response.json()).toEqual({
    ...{ message: 'Local Dictation API', service: 'local-dictation', version: '0.0.0', docs: '/docs' },
  })
})

test('the page may load scripts and styles only from this server, and none inline', async () => {
  const { call } = await webOf([])
  const policy = (await call('/', { headers: html })).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
  expect(policy).toContain("connect-src 'self' ws://localhost:17493;")
  expect(policy).not.toContain('unsafe')
})

test('the page loads without a token', async () => {
  const { call } = await webOf([], { token: 'correct-horse-battery' })
  expect(await (await call('/', { headers: html })).text()).toContain('/page/main.js')
  expect((await call('/page/main.js')).status).toBe(200)
})

test('serves every file of the page compressed and with an ETag', async () => {
  const { call } = await webOf([])
  for (const name of (await readdir(BUILT)).filter((name) => name !== 'index.html')) {
    const file = await call(`/page/${name}`, { headers: { 'accept-encoding': 'gzip' } })
    expect([name, file.status]).toEqual([name, 200])
    const etag = file.headers.get('etag')!
    const again = await call(`/page/${name}`, {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': etag },
    })
    expect(again.status).toBe(304)
  }
})

test('serves no other files under /page', async () => {
  const { call } = await webOf([])
  for (const path of [
    '/page/',
    '/page/index.html',
    '/page/..%2fmain.tsx',
    '/page/../ui/main.tsx',
    '/page/nothing.js',
  ])
    expect([path, (await call(path)).status]).toEqual([path, 404])
})
