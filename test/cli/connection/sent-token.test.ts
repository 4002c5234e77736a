// A server that requires a token, and what a command without it says.

import { expect, test } from 'bun:test'
import { resolve } from 'node:path'

const main = resolve(import.meta.dir, '../../../src/cli/main.ts')

test('without a token that the server requires, the exit code is 4, and the hint names its places', async () => {
  const sent: (string | null)[] = []
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      sent.push(request.headers.get('authorization'))
      return Response.json({ code: 'unauthorized', detail: 'A token is needed.' }, { status: 401 })
    },
  })
  const run = async (env: Record<string, string>) => {
    const child = Bun.spawn([process.execPath, main, 'models', 'ls', '--server', server.url.href], {
      env: { PATH: process.env.PATH, DICTATION_DATA_DIR: '/nowhere', ...env },
      stdout: 'ignore',
      stderr: 'pipe',
    })
    return { errors: await new Response(child.stderr).text(), code: await child.exited }
  }
  expect(await run({})).toEqual({
    code: 4,
    errors:
      'error: A token is needed.\nhint: The command reads it from DICTATION_TOKEN, or from /nowhere/token, which does not exist.\n',
  })
  await run({ DICTATION_TOKEN: 'a-token-of-some-length' })
  expect(new Set(sent)).toEqual(new Set([null, 'Bearer a-token-of-some-length']))
}, 60_000)
