// A real server with its recordings in a real S3 server and everything else in a real Postgres: outages, a kill, verify,
// and a new database that fills from the bucket.

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import postgres from 'postgres'
import { openBucket } from '../../src/store/bucket.ts'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { startS3Front } from '../support/s3-front.ts'
import { isS3ServerInstalled, startS3Server } from '../support/s3-server.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(600_000)

const recording = resolve(import.meta.dir, '../speech/short-01.flac')

const post = (server: RunningServer, query: string) => {
  const body = new FormData()
  body.append('file', Bun.file(recording), 'short.flac')
  return fetch(`${server.url}/captures${query}`, { method: 'POST', body })
}

const idIn = async (response: Response) => ((await response.json()) as { id: string }).id

const untilCompleted = (server: RunningServer, id: string) =>
  until(
    async () => {
      const shown = await fetch(`${server.url}/captures/${id}`)
      return ((await shown.json()) as { status?: string }).status === 'completed'
    },
    { timeoutMs: 240_000, what: () => `capture ${id}; ${JSON.stringify(server.log().slice(-20))}` },
  )

async function run(words: string[], env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, resolve(import.meta.dir, '../../src/cli/main.ts'), ...words], {
    ...{ env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' },
  })
  const texts = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()))
  return { code: await child.exited, text: texts.join('') }
}

test.skipIf(databaseKind === 'embedded' || !isS3ServerInstalled())(
  'loses no recording in a bucket, through outages, a kill and the loss of the database',
  async () => {
    await using s3 = await startS3Server()
    await using front = await startS3Front(s3.endpoint)
    await using folder = await createTestFolder()
    const { dataFolder, databaseUrl } = folder
    const env = {
      DATABASE_URL: databaseUrl!,
      DICTATION_STORE: `s3://${s3.bucket}/speech`,
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
      AWS_ENDPOINT_URL: front.url,
    }
    const bucket = openBucket({ ...s3, prefix: 'speech/' })
    const audio = async () =>
      (await Array.fromAsync(bucket.list('captures/'))).filter((path) => path.endsWith('.flac'))
    const inbox = () => readdir(join(dataFolder, 'inbox'))

    const server = await startServer({ dataFolder, env })
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ store: env.DICTATION_STORE })
    expect(server.log().find(({ msg }) => msg === 'ready')).toMatchObject({ recordings: env.DICTATION_STORE })
    const first = await post(server, '')
    expect(first.status).toBe(201)
    const one = await idIn(first)
    expect(await audio()).toHaveLength(1)
    const part = await fetch(`${server.url}/captures/${one}/audio`, { headers: { range: 'bytes=10-19' } })
    expect(part.status).toBe(206)
    const bytes = await readFile(recording)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20))

    front.trouble = 'away'
    const second = await post(server, '')
    expect(second.status).toBe(202)
    const two = await idIn(second)
    expect(await inbox()).toHaveLength(2)
    front.trouble = null
    await untilCompleted(server, two)
    expect(await audio()).toHaveLength(2)

    // The store has the third recording, and its transaction waits.
    const admin = postgres(databaseUrl!, { max: 1, onnotice: () => {} })
    const blocker = await admin.reserve()
    await blocker`begin`
    await blocker`lock table capture_facts in access exclusive mode`
    const third = post(server, '?wait=false').catch(() => null)
    await until(async () => (await audio()).length === 3, { what: 'the third recording in the bucket' })
    await server.kill()
    await third
    await blocker`rollback`
    blocker.release()
    await admin.end()
    expect(await inbox()).toHaveLength(2)

    const again = await startServer({ dataFolder, env })
    const [three] = (await audio())
      .map((path) => path.slice(-41, -5))
      .filter((id) => id !== one && id !== two)
    await untilCompleted(again, three!)
    expect(await inbox()).toEqual([])
    expect((await fetch(`${again.url}/captures/${two}`, { method: 'DELETE' })).ok).toBe(true)
    await until(async () => (await audio()).length === 2, { what: 'the erasure' })
    expect(await again.stop()).toBe(0)

    const verified = await run(['verify'], { ...env, DICTATION_DATA_DIR: dataFolder })
    expect(verified).toMatchObject({ code: 0, text: expect.stringContaining('2 captures') })
    await using other = await createTestFolder()
    const elsewhere = { ...env, DATABASE_URL: other.databaseUrl!, DICTATION_DATA_DIR: other.dataFolder }
    const rebuilt = await run(['rebuild'], elsewhere)
    expect(rebuilt).toMatchObject({ code: 0, text: expect.stringContaining('2 captures') })
    expect(await run(['rebuild'], elsewhere)).toMatchObject({
      code: 2,
      text: expect.stringContaining('has everything from the store already'),
    })
    const wrong = await run(['verify'], { ...elsewhere, AWS_SECRET_ACCESS_KEY: 'wrong' })
    expect(wrong.text).toContain('AWS_SECRET_ACCESS_KEY is not the secret')
  },
)
