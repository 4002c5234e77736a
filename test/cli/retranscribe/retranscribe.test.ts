// The commands as a user or cron runs them: real processes, a real server, real recordings.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathIn } from '../../../src/cli/files/file-path.ts'
import { createTestFolder, type TestFolder } from '../../support/database.ts'
import { type RunningServer, startServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

const root = resolve(import.meta.dir, '../../..')
const launcher = join(root, 'scripts/dictation.mjs')
const speech = join(root, 'test/speech')

let folder: string
let data: TestFolder
let server: RunningServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation scripts '))
  data = await createTestFolder()
  server = await start()
})
afterAll(async () => {
  await server.stop()
  await data[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const start = (env: Record<string, string> = {}) =>
  startServer({
    dataFolder: data.dataFolder,
    env: { ...(data.databaseUrl !== null && { DATABASE_URL: data.databaseUrl }), ...env },
  })

type Line = { event: string; [name: string]: unknown }

function launch(command: string, args: string[]) {
  const child = Bun.spawn([launcher, command, ...args], {
    cwd: folder,
    env: { ...process.env, DICTATION_URL: server.url },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const lines: Line[] = []
  const reading = (async () => {
    let rest = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n')
      rest = parts.pop()!
      lines.push(...parts.map((line) => JSON.parse(line)))
    }
  })()
  let errors = ''
  const readingErrors = (async () => {
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) errors += chunk
  })()
  return {
    child,
    lines,
    errorsSoFar: () => errors,
    async ended() {
      const [code] = await Promise.all([child.exited, reading, readingErrors])
      return { code, errors }
    },
  }
}

async function run(command: string, args: string[]) {
  const { lines, ended } = launch(command, args)
  const { code, errors } = await ended()
  return { code, errors, lines, events: lines.map(({ event }) => event) }
}

const captures = async (query = '') =>
  (await (await fetch(`${server.url}/captures?${query}`)).json()) as {
    total: number
    items: { id: string }[]
  }

describe('import', () => {
  test('imports the recordings of a folder once, however often it runs', async () => {
    const recordings = join(folder, 'Voice memos')
    await mkdir(join(recordings, 'März'), { recursive: true })
    await copyFile(join(speech, 'short-01.flac'), join(recordings, 'one.flac'))
    await copyFile(join(speech, 'short-02.flac'), join(recordings, 'März', 'zwei ü.flac'))
    await copyFile(join(speech, 'short-01.flac'), join(recordings, 'März', 'the same again.flac'))
    await writeFile(join(recordings, 'list.txt'), 'no recording')

    const plan = await run('import', ['Voice memos', '--dry-run'])
    expect([plan.code, plan.events.filter((name) => name === 'would_import').length]).toEqual([1, 3])
    expect((await captures()).total).toBe(0)

    const first = await run('import', ['Voice memos', '--source', 'recording', '--app', 'Memos', '--wait'])
    expect(first.errors).toContain('2 imported, 1 already present, 0 failed, 1 skipped')
    expect([first.code, first.lines.at(-1)]).toEqual([
      1,
      { event: 'ended', imported: 2, known: 1, failed: 0, skipped: 1 },
    ])
    const { items, total } = await captures('source=recording&app=memos')
    expect(total).toBe(2)
    expect(items).toContainEqual(expect.objectContaining({ file_name: 'zwei ü.flac', status: 'completed' }))

    await rm(join(recordings, 'list.txt'))
    const second = await run('import', ['Voice memos'])
    expect([second.code, second.lines.at(-1)]).toEqual([
      0,
      { event: 'ended', imported: 0, known: 3, failed: 0, skipped: 0 },
    ])
  }, 180_000)

  test('names every file without audio, and continues', async () => {
    const recordings = join(folder, 'mixed')
    await mkdir(recordings)
    await writeFile(join(recordings, 'a.wav'), 'this is not a recording at all')
    await writeFile(join(recordings, 'line\nbreak.txt'), 'nor is this')
    await writeFile(join(recordings, '.hidden'), '')
    await copyFile(join(speech, 'short-03.flac'), join(recordings, 'b.flac'))
    const { code, lines, events, errors } = await run('import', ['mixed'])
    expect([code, events]).toEqual([1, ['skipped', 'skipped', 'skipped', 'imported', 'ended']])
    expect(lines[1]).toEqual({
      event: 'skipped',
      path: join(recordings, 'a.wav'),
      reason: 'not_a_recording',
    })
    expect(errors).toBe(
      [
        `Skipped, hidden (1):\n  ${recordings}: .hidden`,
        `Skipped, not a recording (2):\n  ${recordings}: a.wav, line\uFFFDbreak.txt`,
        '1 imported, 0 already present, 0 failed, 2 skipped.\n',
      ].join('\n'),
    )
    const named = await run('import', ['mixed/a.wav'])
    expect([named.code, named.events]).toEqual([1, ['refused', 'ended']])
  }, 180_000)

  test('uses the modification time of a file as its recording time', async () => {
    const recordings = join(folder, 'dated')
    await mkdir(recordings)
    for (const [name, from] of [
      ['old', '10'],
      ['unknown', '11'],
      ['ahead', '12'],
    ] as const)
      await copyFile(join(speech, `short-${from}.flac`), join(recordings, `${name}.qta`))
    const now = Date.now()
    await utimes(join(recordings, 'old.qta'), new Date(), new Date('2019-05-01T12:00:00.250Z'))
    await utimes(join(recordings, 'unknown.qta'), 0, 0)
    await utimes(join(recordings, 'ahead.qta'), new Date(), new Date(now + 90 * 86_400_000))
    expect((await run('import', ['dated'])).code).toBe(0)
    const { items } = await captures('until=2020-01-01')
    expect(items).toMatchObject([{ file_name: 'old.qta', recorded_at: '2019-05-01T12:00:00.250Z' }])
    const others = (await captures('')).items as unknown as { file_name: string; recorded_at: string }[]
    for (const { file_name, recorded_at } of others)
      if (/unknown|ahead/.test(file_name)) expect(Date.parse(recorded_at)).toBeGreaterThanOrEqual(now)
  }, 180_000)

  test('imports files whose names are not UTF-8, from a folder and from the command line', async () => {
    const recordings = join(folder, 'bytes')
    await mkdir(recordings)
    const named = (name: string) => pathIn(recordings, Buffer.from(name, 'latin1'))
    await copyFile(join(speech, 'short-13.flac'), named('M\xfcller.wav'))
    await copyFile(join(speech, 'short-14.flac'), named('J\xfcrgen.wav'))
    const alone = Bun.spawn(
      ['sh', '-c', '"$0" import "$1/$(printf \'M\\374ller.wav\')"', launcher, recordings],
      { env: { ...process.env, DICTATION_URL: server.url }, stdout: 'ignore', stderr: 'ignore' },
    )
    expect(await alone.exited).toBe(0)
    const { code, lines } = await run('import', ['bytes'])
    expect([code, lines.at(-1)]).toEqual([
      0,
      { event: 'ended', imported: 1, known: 1, failed: 0, skipped: 0 },
    ])
    const { items } = await captures('q=ller')
    expect(items).toMatchObject([{ file_name: 'M\uFFFDller.wav' }])
  }, 180_000)

  test('watches a folder until it is stopped', async () => {
    const recordings = join(folder, 'watched')
    await mkdir(recordings)
    const { child, lines, ended } = launch('import', ['watched', '--watch'])
    await copyFile(join(speech, 'short-04.flac'), join(recordings, 'new.flac'))
    await until(() => lines.some(({ event }) => event === 'imported'), {
      what: 'the import of the new recording',
    })
    child.kill('SIGTERM')
    expect((await ended()).code).toBe(0)
  }, 180_000)

  test('imports a single named file, whatever its name', async () => {
    await copyFile(join(speech, 'short-06.flac'), join(folder, 'a recording'))
    const { code, lines } = await run('import', ['a recording'])
    expect([code, lines.at(-1)]).toEqual([
      0,
      { event: 'ended', imported: 1, known: 0, failed: 0, skipped: 0 },
    ])
  }, 180_000)

  test('says on interruption what was imported and that a rerun continues', async () => {
    const recordings = join(folder, 'many')
    await mkdir(recordings)
    for (const number of ['07', '08', '09'])
      await copyFile(join(speech, `short-${number}.flac`), join(recordings, `${number}.flac`))
    const { child, lines, ended } = launch('import', ['many', '--wait'])
    await until(() => lines.some(({ event }) => event === 'imported'), {
      what: 'the first import',
    })
    child.kill('SIGINT')
    const { code, errors } = await ended()
    expect([code, errors]).toEqual([
      130,
      expect.stringMatching(/[12] imported, 0 already present, 0 failed\. Run the same command/),
    ])
    const rest = await run('import', ['many'])
    expect(rest.lines.at(-1)).toMatchObject({ event: 'ended', failed: 0 })
    expect(Number(rest.lines.at(-1)!.imported) + Number(rest.lines.at(-1)!.known)).toBe(3)
  }, 180_000)

  test('refuses invalid arguments and shows the usage', async () => {
    expect(await run('import', [])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Missing required argument PATH.'),
    })
    expect((await run('import', ['nowhere'])).errors).toContain('There is no file or folder nowhere.')
    expect((await run('import', ['mixed', '--frobnicate'])).code).toBe(2)
    await copyFile(join(speech, 'short-05.flac'), join(folder, 'mixed', 'c.flac'))
    expect((await run('import', ['mixed', '--source', 'radio'])).code).toBe(2)
    const refused = await run('import', ['mixed', '--language', 'klingonese'])
    expect([refused.code, refused.errors]).toEqual([3, expect.stringContaining('language must be one of')])
  })
})

describe('retranscribe', () => {
  test('previews the work and its duration, and changes nothing', async () => {
    const before = await captures('sort=created_at')
    const { code, errors, lines } = await run('retranscribe', ['--all', '--again', '--dry-run'])
    expect(code).toBe(0)
    expect(lines[0]).toMatchObject({ event: 'plan', total: before.total, to_do: before.total })
    expect(lines[0]!.estimate_seconds).toBeGreaterThan(0)
    expect(errors).toMatch(/It would take about \d+:\d\d/)
    const jobs = (await (await fetch(`${server.url}/jobs?limit=1`)).json()) as { items: { kind: string }[] }
    expect(jobs.items[0]!.kind).toBe('transcribe')
  })

  test('retranscribes what is left, and nothing on a second run', async () => {
    const { items } = await captures('source=recording')
    const ids = items.map(({ id }) => id).join(',')
    const again = await run('retranscribe', ['--ids', ids, '--again'])
    expect([again.code, again.lines.at(-1)]).toMatchObject([0, { event: 'ended', completed: 2, skipped: 0 }])
    const second = await run('retranscribe', ['--ids', ids])
    expect([second.code, second.lines.at(-1)]).toMatchObject([
      0,
      { event: 'ended', completed: 0, skipped: 2 },
    ])
  }, 180_000)

  test('two at once survive kill -9 of one and of the server, and nothing is transcribed twice', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString()
    const { items } = await captures(`limit=200&since=${yesterday}`)
    const versionsOf = async (id: string) =>
      ((await (await fetch(`${server.url}/captures/${id}/versions`)).json()) as { total: number }).total
    const before = new Map<string, number>()
    for (const { id } of items) before.set(id, await versionsOf(id))

    const batchOf = (lines: Line[]) => lines.find(({ event }) => event === 'begun')?.batch_id
    const args = ['--since', '1d', '--again', '--patience', '60']
    const first = launch('retranscribe', args)
    const second = launch('retranscribe', args)
    // Polls the server, because the script polls only once a second, and by then the batch may be done.
    const isPartlyDone = async () => {
      const id = batchOf(first.lines)
      if (id === undefined || batchOf(second.lines) === undefined) return false
      const batch = await (await fetch(`${server.url}/jobs/batches/${id}`)).json()
      return (batch as { completed: number }).completed > 0
    }
    await until(isPartlyDone, { what: 'some captures to be done' })
    const port = new URL(server.url).port
    first.child.kill('SIGKILL')
    await server.kill()
    await first.child.exited
    // It polls every few seconds, and would miss a short absence of the server.
    await until(() => second.errorsSoFar().includes('waiting for up to 1:00.'), {
      what: 'the second run to miss the server',
    })
    server = await start({ PORT: port })
    expect((await second.ended()).code).toBe(0)
    expect(batchOf(second.lines)).toBe(batchOf(first.lines))
    expect(second.lines.at(-1)).toMatchObject({ event: 'ended', completed: items.length, failed: 0 })
    for (const { id } of items) expect(await versionsOf(id)).toBe(before.get(id)! + 1)
  }, 120_000)

  test('refuses options without meaning, and an unknown model', async () => {
    expect((await run('retranscribe', [])).errors).toContain('Select captures')
    expect((await run('retranscribe', ['--ids', 'x', '--failed'])).code).toBe(2)
    const days = await run('retranscribe', ['--since', 'yesterday', '--until', 'tomorrow'])
    expect([days.code, days.errors]).toEqual([
      2,
      expect.stringMatching(/--since must be .*\n--until must be /),
    ])
    const place = await run('retranscribe', ['--all', '--server', 'here', '--patience', 'much'])
    expect([place.code, place.errors]).toEqual([
      2,
      expect.stringMatching(
        /--server must be .*\n--patience must be .*\nhint: dictation retranscribe --help/,
      ),
    ])
    const refused = await run('retranscribe', ['--all', '--model', 'enormous'])
    expect([refused.code, refused.lines[0]]).toMatchObject([3, { event: 'failed', code: 'unknown_model' }])
  })

  test('reports a server that was never reachable, and does not wait', async () => {
    const { code, errors } = await run('retranscribe', [
      '--all',
      '--server',
      'http://127.0.0.1:9',
      '--patience',
      '3600',
    ])
    expect(code).toBe(3)
    expect(errors).toContain('hint: Start it there')
  })

  test('accepts an address without its scheme', async () => {
    const { port } = new URL(server.url)
    const { code } = await run('retranscribe', ['--all', '--dry-run', '--server', `localhost:${port}`])
    expect(code).toBe(0)
  })

  test('prints its usage', async () => {
    const child = Bun.spawn([launcher, 'retranscribe', '--help'], { stdout: 'pipe' })
    expect(await new Response(child.stdout).text()).toContain('dictation retranscribe [options]')
    expect(await child.exited).toBe(0)
  })
})
