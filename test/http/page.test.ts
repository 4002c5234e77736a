// GET / and the files of the page: who gets which, under what policy, and what nobody gets.
// What the page does in a browser is test/browser's.

import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { BUILT } from '../../scripts/page.ts'
import { webOf } from '../support/web.ts'

const html = { accept: 'text/html,application/xhtml+xml' }

test('a browser gets the page and a program what answers here, at the same address', async () => {
  const { call } = await webOf([])
  const page = await call('/', { headers: html })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('/page/main.js')
  const told = await call('/')
  expect(told.headers.get('vary')).toContain('accept')
  expect(await told.json()).toEqual({
    ...{ message: 'Local Dictation API', service: 'local-dictation', version: '0.0.0', docs: '/docs' },
  })
})

test('the page may load scripts and styles from here alone, and nothing inline', async () => {
  const { call } = await webOf([])
  const policy = (await call('/', { headers: html })).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
  expect(policy).toContain("connect-src 'self' ws://localhost:17493;")
  expect(policy).not.toContain('unsafe')
})

test('the page loads without the token, for which it asks itself', async () => {
  const { call } = await webOf([], { token: 'correct-horse-battery' })
  expect(await (await call('/', { headers: html })).text()).toContain('/page/main.js')
  expect((await call('/page/main.js')).status).toBe(200)
})

test('every file of the page is served compressed, and asked for again by its ETag', async () => {
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

test('nothing but the files of the page can be had through its address', async () => {
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
