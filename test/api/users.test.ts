// Programs of real other users on the same computer; needs root on Linux, skipped elsewhere.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { asUser, canServeAs, DAEMON, NOBODY, requestAs, whyNoOthers } from '../support/users.ts'

const ROOT = 0
const TOKEN = 'a-token-of-more-than-sixteen-letters'
const authorized = ['-H', `Authorization: Bearer ${TOKEN}`]
const statusAs = async (uid: number, url: string, options?: string[]) =>
  (await requestAs(uid, url, options)).status

describe.skipIf(whyNoOthers !== null)('a server run by root', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())
  const trashDays = async () =>
    JSON.parse((await requestAs(ROOT, `${server.url}/settings/captures`)).text).trash_days

  test('responds to root, and logs that others are refused', async () => {
    const { status, text } = await requestAs(ROOT, `${server.url}/health`)
    expect([status, JSON.parse(text).access]).toEqual([
      200,
      { token_required: false, other_users: 'refused', hint: null },
    ])
  })

  test.each([NOBODY, DAEMON])('refuses user %p over both addresses', async (uid) => {
    for (const path of ['/health', '/captures', '/docs', '/events'])
      for (const url of [server.url, server.url.replace('127.0.0.1', '[::1]')]) {
        const { status, text } = await requestAs(uid, `${url}${path}`)
        expect([status, JSON.parse(text).code]).toEqual([403, 'peer_of_another_user'])
      }
  })

  test('refuses a request of another user who does not wait for the response', async () => {
    const body = '{"trash_days":3}'
    const { port } = new URL(server.url)
    const head = `PATCH /settings/captures HTTP/1.1\\r\\nHost: localhost:${port}\\r\\nContent-Type: application/json\\r\\nContent-Length: ${body.length}\\r\\n\\r\\n`
    const script = `for i in 1 2 3 4 5 6 7 8 9 10; do exec 3<>/dev/tcp/127.0.0.1/${port}; printf '${head}${body}' >&3; exec 3>&-; done`
    const sent = Bun.spawn([...asUser(NOBODY), 'bash', '-c', script])
    expect(await sent.exited).toBe(0)
    await until(async () => (await refusals()) >= 10, { what: 'ten refusals' })
    expect(await trashDays()).toBe(7)
  })

  async function refusals(): Promise<number> {
    const { text } = await requestAs(ROOT, `${server.url}/metrics`)
    const counted = /^dictation_http_requests_total\{.*method="PATCH".*status="403".*\} (\d+)$/m.exec(text)
    return Number(counted?.[1] ?? 0)
  }
})

test.skipIf(whyNoOthers !== null)('refuses to start on the data folder of another user', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dictation-of-nobody-'))
  await chown(dataFolder, NOBODY, NOBODY)
  const started = startServer({ dataFolder })
  await expect(started).rejects.toThrow(
    `cannot be used: it belongs to user ${NOBODY}, and the server runs as`,
  )
  await rm(dataFolder, { recursive: true })
})

describe.skipIf(!canServeAs(NOBODY))('a server run by another user', () => {
  let folder: string
  let server: RunningServer
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dictation-of-nobody-'))
    await chown(folder, NOBODY, NOBODY)
    server = await startServer({ dataFolder: join(folder, 'data'), within: asUser(NOBODY) })
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  test('responds to its own user and root, and refuses a third', async () => {
    const answers = [NOBODY, ROOT, DAEMON].map((uid) => statusAs(uid, `${server.url}/captures`))
    expect(await Promise.all(answers)).toEqual([200, 200, 403])
  })
})

describe.skipIf(whyNoOthers !== null)('another user', () => {
  test('is accepted with DICTATION_USERS=any, which /health reports', async () => {
    await using server = await startServer({ env: { DICTATION_USERS: 'any' } })
    const { status, text } = await requestAs(NOBODY, `${server.url}/health`)
    expect([status, JSON.parse(text).access.other_users]).toEqual([200, 'allowed'])
    expect(JSON.parse(text).access.hint).toContain('DICTATION_TOKEN')
    expect(await statusAs(NOBODY, `${server.url}/captures`)).toBe(200)
  })
})

describe.skipIf(whyNoOthers !== null)('another user of a server with a token', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer({ env: { DICTATION_TOKEN: TOKEN } })
  })
  afterAll(() => server.stop())

  test('is accepted with the token, and refused without it', async () => {
    const captures = `${server.url}/captures`
    expect(await statusAs(NOBODY, captures, authorized)).toBe(200)
    expect(await statusAs(NOBODY, captures)).toBe(403)
    expect(await statusAs(NOBODY, `${server.url}/health`)).toBe(403)
    expect(await statusAs(ROOT, captures)).toBe(401)
  })

  test('is refused with the session and the tickets of the own user’s page', async () => {
    const post = async (body: object, secret: string) => {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      const answer = await fetch(`${server.url}/session`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return (await answer.json()) as { session: string; ticket: string }
    }
    const { session } = await post({}, TOKEN)
    const { ticket } = await post({ ticket: true, path: '/captures/export' }, session)
    const asSession = ['-H', `Authorization: Bearer ${session}`]
    const asCookie = ['-H', `Cookie: dictation_session=${session}`]
    for (const options of [asSession, asCookie])
      expect(await statusAs(NOBODY, `${server.url}/captures`, options)).toBe(403)
    expect(await statusAs(NOBODY, `${server.url}/captures/export?ticket=${ticket}`)).toBe(403)
    expect(await statusAs(ROOT, `${server.url}/captures`, asSession)).toBe(200)
    expect(await statusAs(ROOT, `${server.url}/captures`, asCookie)).toBe(401)
  })
})
