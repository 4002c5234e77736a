// Files on disk are private to the user, regardless of the umask and earlier permissions; and the generated token.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createTestFolder, databaseKind, type TestFolder } from '../support/database.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formWith } from './contract/recordings.ts'

const scripts = resolve(import.meta.dir, '../../scripts')
const GENEROUS = ['sh', '-c', 'umask 000; exec "$@"', 'sh']
const OTHERS = 0o077
const AUTO = { DICTATION_TOKEN: 'auto' }

const allIn = (folder: string) => [
  folder,
  ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
]
const open = (folder: string) => allIn(folder).filter((path) => (statSync(path).mode & OTHERS) !== 0)

test.skipIf(databaseKind === 'external')(
  'keeps the whole data folder private, also with a permissive umask',
  async () => {
    await using folder = await createTestFolder()
    const dataFolder = join(folder.dataFolder, 'of-its-own')
    {
      await using server = await startServer({ dataFolder, within: GENEROUS })
      await fetch(`${server.url}/captures?wait=false`, { method: 'POST', body: formWith([]) })
      expect(open(server.dataFolder)).toEqual([])
      expect(allIn(server.dataFolder).length).toBeGreaterThan(1000)
    }
    // As an older server or a copy left it.
    writeFileSync(join(dataFolder, 'instance.lock-journal'), '')
    for (const path of allIn(dataFolder)) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644)
    {
      await using server = await startServer({ dataFolder, within: GENEROUS })
      const database = join(server.dataFolder, 'postgres-18')
      const opened = open(server.dataFolder)
      expect(opened.filter((path) => path.startsWith(database) || /instance\./.test(path))).toEqual([])
      expect(opened).not.toContain(server.dataFolder)
    }
  },
)

describe('a generated token', () => {
  let folder: TestFolder
  let server: RunningServer
  const start = () =>
    startServer({
      dataFolder: folder.dataFolder,
      env: { ...AUTO, ...(folder.databaseUrl !== null && { DATABASE_URL: folder.databaseUrl }) },
      within: GENEROUS,
    })
  beforeAll(async () => {
    folder = await createTestFolder()
    server = await start()
  })
  afterAll(async () => {
    await server.stop()
    await folder[Symbol.asyncDispose]()
  })

  test('is kept over a restart, required and never logged', async () => {
    const file = join(folder.dataFolder, 'token')
    const tokens: string[] = []
    for (const isRestarted of [false, true]) {
      if (isRestarted) {
        await server.stop()
        server = await start()
      }
      const token = readFileSync(file, 'utf8')
      tokens.push(token)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect((await fetch(`${server.url}/captures`)).status).toBe(401)
      const headers = { authorization: `Bearer ${token}` }
      expect((await fetch(`${server.url}/captures`, { headers })).status).toBe(200)
      expect(server.log().find((entry) => entry.file === file)).toBeDefined()
      expect(JSON.stringify(server.log())).not.toContain(token)
    }
    expect(tokens[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(tokens[1]).toBe(tokens[0]!)
  })

  test('is read by scripts', async () => {
    const run = async (dataFolder: string) => {
      const env = { ...process.env, DICTATION_URL: server.url, DICTATION_DATA_DIR: dataFolder }
      const command = [
        'node',
        join(scripts, 'dictation.mjs'),
        'retranscribe',
        '--failed',
        '--dry-run',
        '--patience',
        '1',
      ]
      const child = Bun.spawn(command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      return { code: await child.exited, said: await new Response(child.stderr).text() }
    }
    expect((await run(server.dataFolder)).code).toBe(0)
    expect(await run('/nowhere')).toMatchObject({ code: 4, said: expect.stringContaining('token') })
  })
})

test('refuses to start with a file that contains no token', async () => {
  await using folder = await createTestFolder()
  writeFileSync(join(folder.dataFolder, 'token'), 'short')
  const starting = startServer({ dataFolder: folder.dataFolder, env: AUTO })
  await expect(starting).rejects.toThrow('Delete it; the next start creates a new one')
  await starting.catch(() => {})
})
