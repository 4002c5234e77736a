// What `dictation doctor` finds on an installation in order, and one with faults. The taken port is tested with the start
// of a server.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Check } from '../../../src/cli/doctor/check.ts'
import { type RunningServer, startServer } from '../../support/server.ts'

const main = resolve(import.meta.dir, '../../../src/cli/main.ts')

const TOKEN = 'the-right-token-of-this-server'

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ env: { DICTATION_TOKEN: TOKEN } })
})
afterAll(async () => void (await server.stop()))

async function doctor(env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, main, 'doctor', '--json'], {
    env: { PATH: process.env.PATH, DICTATION_DATA_DIR: server.dataFolder, ...env },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const { ok, checks } = JSON.parse(await new Response(child.stdout).text()) as {
    ok: boolean
    checks: Check[]
  }
  const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]))
  return { code: await child.exited, ok, states, checks }
}

test('everything is in order with the token, and the token is wrong without it', async () => {
  const right = await doctor({ DICTATION_TOKEN: TOKEN })
  expect([right.code, right.ok]).toEqual([0, true])
  expect(right.states).toMatchObject({
    ...{ runtime: 'ok', settings: 'ok', 'data folder': 'ok', threads: 'ok', server: 'ok', token: 'ok' },
  })
  const wrong = await doctor({ DICTATION_TOKEN: 'another-token-of-some-length', DICTATION_THREADS: '64' })
  expect([wrong.code, wrong.ok]).toEqual([1, false])
  expect(wrong.states).toMatchObject({ server: 'ok', token: 'wrong', threads: 'wrong' })
  const broken = wrong.checks.filter(({ state }) => state === 'wrong')
  expect(broken.map(({ fix }) => typeof fix)).toEqual(broken.map(() => 'string'))
}, 120_000)

test('a data folder below a file and an invalid setting are faults', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-doctor-'))
  await writeFile(join(folder, 'file'), '')
  const setting = await doctor({ PORT: 'many' })
  expect([setting.code, setting.states]).toMatchObject([1, { settings: 'wrong' }])
  const place = await doctor({ DICTATION_DATA_DIR: join(folder, 'file/data'), PORT: '1' })
  expect([place.code, place.states]).toMatchObject([1, { 'data folder': 'wrong' }])
  await rm(folder, { recursive: true })
}, 60_000)

test('the microphone is checked as it is recorded, and a recording that was not sent is named', async () => {
  const bin = await mkdtemp(join(tmpdir(), 'dictation-doctor-'))
  await symlink('/bin/true', join(bin, 'parec'))
  await mkdir(join(server.dataFolder, 'unsent'))
  await writeFile(join(server.dataFolder, 'unsent', 'spoken.wav'), '')
  const { code, checks } = await doctor({ DICTATION_TOKEN: TOKEN, PATH: bin })
  expect(code).toBe(0)
  expect(checks).toContainEqual({ name: 'microphone', state: 'ok', what: 'recorded by parec' })
  expect(checks.find(({ name }) => name === 'unsent')).toMatchObject({
    state: 'note',
    fix: expect.stringContaining('dictation import'),
  })
  await rm(bin, { recursive: true })
}, 60_000)
