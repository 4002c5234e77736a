// Before a command sends a token or a recording, it checks which user's program listens there. Real commands and real
// programs of another user, as root on Linux; fixture files imitate other systems.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { announcedFault, holderCheck } from '../../../src/cli/connection/holder.ts'
import { testAtLength } from '../../support/at-length.ts'
import { recordingFile } from '../../support/speech.ts'
import { until } from '../../support/until.ts'
import { asUser, canServeAs, NOBODY } from '../../support/users.ts'

const main = resolve(import.meta.dir, '../../../src/cli/main.ts')
const TOKEN = 'a-token-of-more-than-sixteen-letters'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation-holder-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Answers as the server would, and records what it receives. */
const CATCHER = `
const received = []
const server = Bun.serve({
  port: 0,
  hostname: process.argv[1],
  async fetch(request) {
    received.push([request.url, ...request.headers.values(), await request.text()].join(' '))
    await Bun.write(process.argv[2], received.join('\\n'))
    return Response.json({ service: 'local-dictation', items: [], total: 0, models: [], text: '' })
  },
})
console.log(server.port)`

async function catcherOf(user: number, hostname: string) {
  const log = join(folder, `received-${crypto.randomUUID()}`)
  await writeFile(log, '')
  await chmod(log, 0o666)
  await chmod(folder, 0o755)
  const child = Bun.spawn([...asUser(user), process.execPath, '-e', CATCHER, hostname, log], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  void (async () => {
    for await (const chunk of child.stdout) output += new TextDecoder().decode(chunk)
  })()
  const port = Number(await until(() => output.includes('\n') && output.trim()))
  return { port, received: () => readFile(log, 'utf8'), [Symbol.dispose]: () => child.kill('SIGKILL') }
}

async function run(command: string, args: string[], env: Record<string, string>, within: string[] = []) {
  const child = Bun.spawn([...within, process.execPath, main, ...command.split(' '), ...args], {
    env: { ...process.env, DICTATION_TOKEN: TOKEN, DICTATION_DATA_DIR: join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors = await new Response(child.stderr).text()
  return { code: await child.exited, errors }
}

describe.skipIf(!canServeAs(NOBODY))('a program of another user at the address', () => {
  const recording = recordingFile('short-01.flac').name!
  const commands: [command: string, args: string[]][] = [
    ['transcribe', [recording]],
    ['import', [recording]],
    ['retranscribe', ['--failed']],
    ['models pull', ['tiny.en']],
    ['models pull', []],
  ]

  testAtLength(
    'receives nothing from any command, however the address is named',
    async () => {
      for (const hostname of ['127.0.0.1', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1', '::ffff:0.0.0.0']) {
        using catcher = await catcherOf(NOBODY, hostname)
        const host = hostname === '::1' ? '[::1]' : '127.0.0.1'
        const [byOption, byName] = [`http://${host}:${catcher.port}`, `http://localhost:${catcher.port}`]
        for (const [command, args] of commands) {
          const { code, errors } = await run(command, [...args, '--server', byOption], {})
          expect([command, code], errors).toEqual([command, 3])
          expect(errors).toContain(`A program of another user (${NOBODY}) listens at ${host}:${catcher.port}`)
        }
        const { code } = await run('transcribe', [recording], { DICTATION_URL: byName })
        expect([code, await catcher.received()]).toEqual([3, ''])
      }
    },
    300_000,
  )

  test('receives the request if the address is named and trusted', async () => {
    using catcher = await catcherOf(NOBODY, '127.0.0.1')
    const url = `http://127.0.0.1:${catcher.port}`
    await run('transcribe', [recording, '--server', url, '--trust-server'], {})
    expect(await catcher.received()).toContain(TOKEN)
    const count = (await catcher.received()).split('\n').length
    await run('retranscribe', ['--failed'], { DICTATION_URL: url, DICTATION_TRUST_SERVER: 'yes' })
    expect((await catcher.received()).split('\n').length).toBeGreaterThan(count)
  }, 120_000)
})

/** Requires root, and is not available in every container. */
const canUnshare = Bun.which('unshare') !== null && Bun.spawnSync(['unshare', '--mount', 'true']).success
test.skipIf(!canUnshare)(
  'a program whose socket the system does not list receives nothing',
  async () => {
    const received: string[] = []
    const server = createServer((socket) => socket.on('data', (data) => received.push(String(data))))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    // As a program in another network namespace, to which the kernel forwards the port.
    const empty = join(folder, 'net')
    await mkdir(empty)
    for (const table of ['tcp', 'tcp6']) await writeFile(join(empty, table), '')
    const unlisted = [
      'unshare',
      '--mount',
      'sh',
      '-c',
      `mount --bind ${empty} /proc/$$/net && exec "$@"`,
      'sh',
    ]
    const { code, errors } = await run(
      'transcribe',
      [recordingFile('short-01.flac').name!, '--server', `http://localhost:${port}`],
      {},
      unlisted,
    )
    server.close()
    expect([code, received]).toEqual([3, []])
    expect(errors).toContain('--trust-server')
  },
  60_000,
)

test('an address that is not named cannot be trusted', async () => {
  for (const command of ['transcribe', 'models pull']) {
    const { code, errors } = await run(command, ['x', '--trust-server'], { DICTATION_URL: '' })
    expect([command, code]).toEqual([command, 2])
    expect(errors).toContain('--trust-server requires the trusted address')
  }
}, 180_000)

test('a proxy of the environment receives nothing', async () => {
  const proxied: string[] = []
  using proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      proxied.push(request.url)
      return new Response(null, { status: 502 })
    },
  })
  const requested: string[] = []
  using own = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      requested.push(request.url)
      return Response.json({ service: 'local-dictation', items: [], total: 0, models: [], text: '' })
    },
  })
  const way = `http://127.0.0.1:${proxy.port}`
  const env = { HTTP_PROXY: way, http_proxy: way, NO_PROXY: '', no_proxy: '' }
  for (const host of ['127.0.0.1', 'localhost'])
    for (const [command, args] of [
      ['transcribe', [recordingFile('short-01.flac').name!]],
      ['models pull', []],
    ] as [string, string[]][])
      await run(command, [...args, '--server', `http://${host}:${own.port}`], env)
  expect([proxied, requested.length > 3]).toEqual([[], true])
}, 180_000)

test('an address of another computer is refused, unless it is trusted', async () => {
  const given = { dataFolder: folder }
  for (const url of [
    'http://192.0.2.1:17493',
    'https://dictation.test',
    'http://host.docker.internal:17493',
  ]) {
    expect(await holderCheck(url, { ...given, isTrusted: false })()).toContain('--trust-server')
    expect(await holderCheck(url, { ...given, isTrusted: true })()).toBeNull()
  }
})

test('a program of the same user is trusted', async () => {
  using own = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  for (const host of ['127.0.0.1', 'localhost'])
    expect(
      await holderCheck(`http://${host}:${own.port}`, { dataFolder: folder, isTrusted: false })(),
    ).toBeNull()
})

describe('where the system does not list sockets', () => {
  const announce = async (pid: number, url: string) => {
    const dataFolder = join(folder, crypto.randomUUID())
    await mkdir(dataFolder)
    await writeFile(join(dataFolder, 'instance.json'), JSON.stringify({ pid, url }))
    return dataFolder
  }
  const url = 'http://127.0.0.1:17493'

  test('the address that a running server wrote to the data folder is trusted', async () => {
    expect(await announcedFault(url, await announce(process.pid, url))).toBeNull()
    expect(await announcedFault(`${url}/`, await announce(process.pid, url))).toBeNull()
  })

  test('refuses an address that is not announced, a different one, and one of a stopped server', async () => {
    const ended = Bun.spawn(['true'])
    await ended.exited
    const none = 'No server of yours has announced'
    expect(await announcedFault(url, folder)).toStartWith(none)
    expect(await announcedFault(url, await announce(ended.pid, url))).toStartWith(none)
    for (const other of ['http://127.0.0.1:17494', 'http://[::1]:17493'])
      expect(await announcedFault(other, await announce(process.pid, url))).toStartWith(
        'Your server listens at',
      )
  })
})
