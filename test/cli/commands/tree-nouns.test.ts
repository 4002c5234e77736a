// The nouns of the API as a user or a script types them: real processes, one real server, real recordings.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type RunningServer, startServer } from '../../support/server.ts'
import { formOf } from '../../support/speech.ts'

const main = resolve(import.meta.dir, '../../../src/cli/main.ts')

let server: RunningServer
let folder: string
/** ids, the newest last */
const ids: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation nouns '))
  server = await startServer()
  for (const file of ['short-01.flac', 'human-6.flac']) {
    const body = await formOf(file, { app_name: file === 'human-6.flac' ? 'Notes' : 'Mail' })
    const response = await fetch(`${server.url}/captures`, { method: 'POST', body })
    ids.push(((await response.json()) as { id: string }).id)
  }
}, 400_000)
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

type Input = { stdin?: string; env?: Record<string, string> }

async function dictation(args: string[], { stdin = '', env = {} }: Input = {}) {
  const child = Bun.spawn([process.execPath, main, ...args], {
    cwd: folder,
    env: { ...process.env, DICTATION_URL: server.url, TZ: 'UTC', ...env },
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, out, errors }
}

/** Its standard output, if it succeeded. */
async function output(args: string[], input?: Input): Promise<string> {
  const { code, out, errors } = await dictation(args, input)
  expect({ args, code, errors: code === 0 ? '' : errors }).toEqual({ args, code: 0, errors: '' })
  return out
}

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the document
const json = async (args: string[], input?: Input): Promise<any> =>
  JSON.parse(await output([...args, '--json'], input))

/** For checks that need no further process. */
// biome-ignore lint/suspicious/noExplicitAny: as above
const api = async (path: string): Promise<any> => (await fetch(server.url + path)).json()

const rows = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))

describe('captures', () => {
  test('are listed and found, one line each, and named by the end of their ids or @last', async () => {
    const listed = rows(await output(['captures', 'ls']))
    expect(listed.map(([id]) => id)).toEqual(ids.toReversed())
    expect(listed[0]).toEqual([
      ids[1]!,
      expect.any(String),
      expect.any(String),
      'completed',
      '',
      expect.any(String),
    ])
    expect(
      await json(['captures', 'ls', '--app', 'mail', '--since', '1d', '--sort', 'oldest']),
    ).toMatchObject({
      total: 1,
      items: [{ id: ids[0], app_name: 'Mail' }],
    })
    const [found] = rows(await output(['captures', 'search', 'amiable']))
    expect([found![0], found!.at(-1)]).toEqual([ids[1]!, expect.stringContaining('amiable')])
    expect((await json(['captures', 'search', 'amiable'])).items[0].highlight).toContain(
      '<mark>amiable</mark>',
    )
    expect(await dictation(['captures', 'search', 'zebra'])).toMatchObject({ code: 0, out: '' })

    expect((await json(['captures', 'show', ids[0]!.slice(-6)])).id).toBe(ids[0])
    expect((await json(['captures', 'show', '@last'])).id).toBe(ids[1])
    expect(await output(['captures', 'show', '@last'])).toMatch(/^id +\S+\ntitle .*\n\n.*amiable/s)
    expect(await dictation(['captures', 'show', 'ffffffff'])).toMatchObject({
      code: 5,
      errors: expect.stringContaining('dictation captures ls'),
    })
  })

  test('are exported to standard output and to files, which are not replaced', async () => {
    expect(await output(['captures', 'export', '@last'])).toContain('amiable')
    const srt = ['captures', 'export', ...ids, '-f', 'srt', '-o', 'texts', '--audio']
    const files = (await output(srt)).trimEnd().split('\n')
    expect(files.length).toBe(4)
    expect((await readdir(join(folder, 'texts'))).toSorted()).toEqual(
      files.map((file) => file.slice('texts/'.length)).toSorted(),
    )
    expect(await readFile(join(folder, files[0]!), 'utf8')).toMatch(/^1\n00:00:0\d,\d{3} --> /)
    expect(await readFile(join(folder, files[1]!), 'latin1')).toStartWith('fLaC')
    expect(await dictation(['captures', 'export', '@last', '-f', 'srt', '-o', 'texts'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('--force'),
    })
    expect(await dictation(['captures', 'export', ...ids])).toMatchObject({ code: 2 })
  })

  test('are corrected on the command line and in an editor, whose text survives a refusal', async () => {
    const changed = await json(['captures', 'edit', '@last', '--text', '-', '--title', 'Austen'], {
      stdin: 'A truth universally acknowledged.\n',
    })
    expect(changed).toMatchObject({
      title: 'Austen',
      transcript_refined: 'A truth universally acknowledged.',
    })
    const edited = await output(['captures', 'edit', '@last'], { env: { VISUAL: 'sed -i s/truth/lie/' } })
    expect(edited).toBe('A lie universally acknowledged.\n')

    // Another client changes the capture while the editor is open.
    const other = `'${process.execPath}' -e 'await fetch("${server.url}/captures/${ids[1]}", {method: "PATCH", headers: {"content-type": "application/json"}, body: JSON.stringify({title: "Changed"})})'`
    const refused = await dictation(['captures', 'edit', '@last'], {
      env: { VISUAL: `${other}; sed -i s/lie/fact/` },
    })
    expect(refused.code).not.toBe(0)
    const [, kept] = /Your text is still in (\S+)\./.exec(refused.errors) ?? []
    expect(await readFile(kept!, 'utf8')).toBe('A fact universally acknowledged.\n')
    await rm(resolve(kept!, '..'), { recursive: true })
    expect(await output(['captures', 'export', '@last'])).toBe('A lie universally acknowledged.\n')
  })

  test('are played by an installed player', async () => {
    const bin = join(folder, 'bin')
    await mkdir(bin)
    await writeFile(join(bin, 'aplay'), `#!/bin/sh\n/bin/cat "$2" > '${folder}/played.wav'\n`)
    await chmod(join(bin, 'aplay'), 0o755)
    await output(['captures', 'play', ids[0]!], { env: { PATH: bin } })
    expect(await readFile(join(folder, 'played.wav'), 'latin1')).toMatch(/^RIFF....WAVE/s)
    expect(await dictation(['captures', 'play', ids[0]!], { env: { PATH: folder } })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('ffplay'),
    })
  })

  test('get and lose tags, by which they are listed', async () => {
    await output(['captures', 'edit', '@last', '--tag', 'Work', '--tag', 'board meeting'])
    expect((await json(['captures', 'ls', '--tag', 'work'])).items).toMatchObject([{ id: ids[1] }])
    expect(await output(['captures', 'show', '@last'])).toContain('Work, board meeting')
    await output(['captures', 'edit', '@last', '--untag', 'WORK'])
    expect((await api(`/captures/${ids[1]}`)).tags).toEqual(['board meeting'])
    expect(await dictation(['captures', 'edit', '@last', '--tag', 'a,b'])).toMatchObject({
      code: 3,
      errors: expect.stringContaining('comma'),
    })
  })

  test('are starred, and moved to the trash only after a yes', async () => {
    await output(['captures', 'star', ...ids])
    expect((await api('/captures?starred=true')).total).toBe(2)
    await output(['captures', 'star', '@last', '--off'])
    expect((await json(['captures', 'ls', '--starred'])).items).toMatchObject([{ id: ids[0] }])

    expect(await dictation(['captures', 'rm', '@last'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--yes'),
    })
    expect((await api('/captures')).total).toBe(2)
    await output(['captures', 'rm', '@last', '--yes'])
    expect((await api('/captures')).total).toBe(1)
    expect((await json(['captures', 'ls', '--trash'])).items).toMatchObject([{ id: ids[1] }])
    await output(['captures', 'restore', '@last'])
    expect((await api('/captures')).total).toBe(2)

    const missing = '01980000-0000-7000-8000-000000000000'
    expect(await dictation(['captures', 'rm', missing, ids[0]!, '--permanent', '--yes'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining(missing),
    })
    expect((await api('/captures')).items).toMatchObject([{ id: ids[1] }])
  })
})

test('the dictionary is listed, taught, imported, exported and tried', async () => {
  await output(['dictionary', 'add', 'git hub', 'GitHub', '--alias', 'get hub'])
  await output(['dictionary', 'add', 'Kubernetes'])
  expect(await dictation(['dictionary', 'add', 'kubernetes'])).toMatchObject({ code: 3 })
  expect(rows(await output(['dictionary', 'ls', 'hub']))).toMatchObject([
    [expect.any(String), 'replacement', 'git hub', 'GitHub', 'get hub', '', '0'],
  ])
  expect(await output(['dictionary', 'test', 'it', 'is', 'on', 'git', 'hub'])).toBe('it is on GitHub\n')
  expect((await json(['dictionary', 'test'], { stdin: 'get hub\n' })).text).toBe('GitHub')

  await writeFile(join(folder, 'words.txt'), 'btw => by the way\n => nothing\n')
  const imported = await dictation(['dictionary', 'import', 'words.txt', '--json'])
  expect(imported).toMatchObject({ code: 1, errors: expect.stringContaining('line 2') })
  expect(JSON.parse(imported.out)).toMatchObject({ imported: 1 })
  await output(['dictionary', 'export', '-o', 'all.csv'])
  expect(await readFile(join(folder, 'all.csv'), 'utf8')).toContain('by the way')
  expect((await dictation(['dictionary', 'export', '-o', 'all.csv'])).code).toBe(1)
  expect(await json(['dictionary', 'export'])).toHaveProperty('entries')
  expect((await dictation(['dictionary', 'export', '-f', 'csv', '--json'])).code).toBe(2)

  const entry = (await api('/dictionary?q=btw')).items[0]
  await output(['dictionary', 'rm', 'git hub', entry.id.slice(-8), '--yes'])
  expect((await api('/dictionary')).items).toMatchObject([{ word: 'Kubernetes' }])
})

test('writing styles are created and shown, and refine texts', async () => {
  const add = [
    'styles',
    'add',
    'Minutes',
    '--app',
    'Zoom',
    '--rule',
    'trailing_period=add',
    '--rule',
    'numbers=digits',
  ]
  expect(await json(add)).toMatchObject({
    apps: ['Zoom'],
    rules: { trailing_period: 'add', numbers: 'digits' },
  })
  expect(await dictation(['styles', 'add', 'Other', '--rule', 'numbers=many'])).toMatchObject({
    errors: expect.stringContaining('numbers'),
  })
  expect(rows(await output(['styles', 'ls'])).map(([, name]) => name)).toContain('Minutes')
  expect(await output(['styles', 'show', 'minutes'])).toMatch(/^numbers +digits$/m)
  const spoken = 'um we meet on friday at twenty five minutes past'
  const written = 'We meet on Friday at 25 minutes past.\n'
  expect(await output(['refine', spoken, '--style', 'Minutes'])).toBe(written)
  expect(await output(['refine', '--app', 'zoom'], { stdin: `${spoken}\n` })).toBe(written)
  expect((await dictation(['refine'])).code).toBe(2)
  await output(['styles', 'rm', 'Minutes', '--yes'])
  expect((await dictation(['styles', 'show', 'Minutes'])).code).toBe(5)
})

test('a command in words changes the text on standard input, or leaves it and fails', async () => {
  const stdin = 'the lord of the rings\n'
  expect(await output(['run', 'put this in title case'], { stdin })).toBe('The Lord of the Rings\n')
  const nothing = await dictation(['run', 'dance with it'], { stdin })
  expect(nothing).toMatchObject({ code: 1, out: stdin, errors: expect.stringMatching(/\w/) })
})

test('statistics, settings and jobs are shown, and changed', async () => {
  expect(await json(['stats', '--since', '30d'])).toMatchObject({ period: 'custom', total_captures: 2 })
  expect(await output(['stats'])).toMatch(/^captures +2$/m)

  expect(await output(['settings', 'get', 'typing_wpm'])).toBe('45\n')
  await output(['settings', 'set', 'typing_wpm', '60'])
  await output(['settings', 'set', 'languages', 'en,de'])
  await output(['settings', 'set', 'auto_refine', 'off'])
  expect(await json(['settings', 'get'])).toMatchObject({
    ...{ typing_wpm: 60, languages: ['en', 'de'], auto_refine: false },
  })
  for (const [key, value] of [
    ['typing_wpm', 'fast'],
    ['typing_wmp', '60'],
    ['colour', 'blue'],
  ])
    expect(await dictation(['settings', 'set', key!, value!])).toMatchObject({
      code: expect.any(Number),
      errors: expect.stringContaining(key!),
    })
  expect(await api('/settings/captures')).toMatchObject({ typing_wpm: 60 })

  const jobs = await json(['jobs', 'ls'])
  expect(jobs.items[0]).toMatchObject({ kind: expect.any(String), state: 'completed' })
  expect((await json(['jobs', 'show', '@last'])).id).toBe(jobs.items[0].id)
  expect(await dictation(['jobs', 'cancel', jobs.items[0].id.slice(-8)])).toMatchObject({
    errors: expect.stringContaining('already'),
  })
  const body = await formOf('long-3-minutes.flac')
  await fetch(`${server.url}/captures?wait=false`, { method: 'POST', body })
  expect(await json(['jobs', 'cancel', '@last'])).toMatchObject({ state: 'canceled' })
})

test('any request of the API sends a file as it is, with its type', async () => {
  const recording = join(import.meta.dir, '../../speech/short-02.flac')
  expect(await json(['api', 'POST', '/transcribe', '-d', `@${recording}`])).toHaveProperty('text')
  const text = ['api', 'POST', '/dictionary', '-d', '{"word": "Zaphod", "type": "term"}']
  expect(await dictation([...text, '--type', 'text/plain'])).toMatchObject({ code: 3 })
  const { id } = JSON.parse(await output(text))
  await output(['api', 'DELETE', `/dictionary/${id}`])
  expect(await output(['api', 'HEAD', '/health'])).toBe('')
})

test('models are listed in columns, separated by tabs', async () => {
  const model = expect.stringMatching(/^tiny\.en/)
  const listed = [model, expect.stringMatching(/^\d+$/), expect.any(String)]
  expect(rows(await output(['models', 'ls']))).toContainEqual([...listed, expect.stringContaining('in use')])
  expect(rows(await output(['models', 'pull']))).toContainEqual([...listed, 'installed'])
})

test('a recording is stored and its text printed; one that the server refuses stays in its file', async () => {
  const audio = await fetch(`${server.url}/captures/${ids[1]}/audio?format=wav`)
  await Bun.write(join(folder, 'spoken.wav'), audio)
  const env = { DICTATION_DATA_DIR: join(folder, 'own') }
  const record = ['record', '--input', 'tail -c +45 spoken.wav', '--title', 'Spoken']
  const text = await output(record, { env })
  const [capture] = (await api('/captures?source=recording')).items
  expect(capture).toMatchObject({ title: 'Spoken', text: text.trimEnd(), source: 'recording' })
  expect(text).toContain('amiable')
  expect(await readdir(join(folder, 'own', 'unsent'))).toEqual([])
  const refused = await dictation(['record', '--input', 'spoken.wav', '--seconds', '1', '--model', 'none'], {
    env,
  })
  expect(refused.code).toBe(3)
  const [, kept] = /recording is in (.+\.wav);/.exec(refused.errors) ?? []
  expect((await stat(kept!)).size).toBeGreaterThan(16_000)
  const mute = await dictation(['record', '--input', 'exit 7'], { env })
  expect(mute).toMatchObject({ code: 1, errors: expect.stringContaining('ended with 7') })
})
