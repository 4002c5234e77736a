// dictation transcribe: real processes, a real server, real recordings.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathIn } from '../../../src/cli/files/file-path.ts'
import { type RunningServer, startServer } from '../../support/server.ts'
import { formOf, recording, recordingFile, wordsApart } from '../../support/speech.ts'
import { until } from '../../support/until.ts'

const script = resolve(import.meta.dir, '../../../scripts/dictation.mjs')

let folder: string
let server: RunningServer
/** the text of short-01.flac, as the server returns it */
let shortText: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation transcribe '))
  server = await startServer()
  const body = await formOf('short-01.flac', { response_format: 'text' })
  shortText = await (await fetch(`${server.url}/transcribe`, { method: 'POST', body })).text()
  await mkdir(join(folder, 'talks/März'), { recursive: true })
  await copyFile(recordingFile('short-01.flac').name!, join(folder, 'talks/März/zwei ü.flac'))
  await copyFile(recordingFile('human-4.flac').name!, join(folder, 'talks/one.flac'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function run(args: string[], stdin?: Blob) {
  const child = Bun.spawn([script, 'transcribe', ...args], {
    cwd: folder,
    env: { ...process.env, DICTATION_URL: server.url },
    stdin: stdin ?? 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, output, errors }
}

const kept = async () => ((await (await fetch(`${server.url}/captures`)).json()) as { total: number }).total

test('writes nothing but the text to standard output, and stores nothing', async () => {
  const { code, output, errors } = await run(['talks/one.flac'])
  expect([code, errors]).toEqual([0, ''])
  expect(wordsApart(output, recording('human-4.flac').text)).toBeLessThanOrEqual(1)
  expect(output).toEndWith('\n')
  expect(await kept()).toBe(0)
}, 180_000)

test('reads a recording from standard input, a file or a pipe', async () => {
  expect(await run(['-'], recordingFile('short-01.flac'))).toEqual({ code: 0, output: shortText, errors: '' })
  const piped = Bun.spawn(
    ['sh', '-c', 'cat "$1" | "$0" transcribe -', script, recordingFile('short-01.flac').name!],
    {
      env: { ...process.env, DICTATION_URL: server.url },
      stdout: 'pipe',
    },
  )
  expect(await new Response(piped.stdout).text()).toBe(shortText)
  const { output } = await run(['-', '--json'], recordingFile('short-01.flac'))
  expect(JSON.parse(output)).toMatchObject({ path: '-', text: shortText.trim() })
}, 180_000)

test('prints a name above each of several texts, or a line of JSON each, with words on request', async () => {
  const { code, output, errors } = await run(['talks'])
  expect([code, errors]).toEqual([0, '2 transcribed, 0 failed.\n'])
  expect(output).toStartWith(`==> März/zwei ü.flac <==\n${shortText}\n==> one.flac <==\n`)
  const json = await run(['talks', '--json', '--words'])
  const [first, second] = json.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(first).toMatchObject({
    path: join(folder, 'talks/März/zwei ü.flac'),
    text: shortText.trim(),
    language: 'en',
    segments: [{ words: expect.arrayContaining([expect.objectContaining({ word: 'Hello' })]) }],
  })
  expect(second.duration).toBeCloseTo(recording('human-4.flac').seconds, 1)
}, 180_000)

test('writes subtitles into a folder in the structure of the recordings, and overwrites nothing without --force', async () => {
  const together = await run(['talks', '--format', 'srt'])
  expect([together.code, together.errors]).toEqual([
    2,
    expect.stringContaining('Choose a folder with --output'),
  ])
  const apart = await run(['talks', '--format', 'srt', '-o', 'subtitles'])
  expect([apart.code, apart.output]).toEqual([0, ''])
  const written = join(folder, 'subtitles/März/zwei ü.srt')
  const cue = await Bun.file(written).text()
  expect(cue).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\n/)
  expect(cue).toEndWith(shortText)
  const names = await readdir(join(folder, 'subtitles'))
  expect(names.filter((name) => !name.startsWith('.')).toSorted()).toEqual(['März', 'one.srt'])
  await writeFile(written, 'corrected by hand')
  const again = await run(['talks', '--format', 'srt', '-o', 'subtitles'])
  expect([again.code, again.errors]).toEqual([0, '0 transcribed, 0 failed, 2 already done.\n'])
  expect(await Bun.file(written).text()).toBe('corrected by hand')
  await utimes(written, new Date(0), new Date(0))
  const newer = await run(['talks/März/zwei ü.flac', '--format', 'srt', '-o', 'subtitles/März'])
  expect([newer.code, newer.errors]).toEqual([1, expect.stringContaining('Use --force to overwrite it')])
  expect(await Bun.file(written).text()).toBe('corrected by hand')
  expect((await run(['talks', '--format', 'srt', '-o', 'subtitles', '--force'])).code).toBe(0)
  expect(await Bun.file(written).text()).toStartWith('1\n')
}, 180_000)

test('names files without audio, and transcribes the others', async () => {
  await mkdir(join(folder, 'mixed'))
  await writeFile(join(folder, 'mixed/a.wav'), 'this is not a recording at all')
  await copyFile(recordingFile('short-01.flac').name!, join(folder, 'mixed/b.flac'))
  const { code, output, errors } = await run(['mixed'])
  expect([code, output]).toEqual([1, shortText])
  expect(errors).toBe(
    `Skipped, not a recording (1):\n  ${join(folder, 'mixed')}: a.wav\n1 transcribed, 0 failed, 1 skipped.\n`,
  )
  const named = await run(['mixed/a.wav'])
  expect([named.code, named.errors]).toEqual([
    1,
    expect.stringMatching(/^a\.wav: .*\n0 transcribed, 1 failed\.\n$/),
  ])
}, 180_000)

test('recordings that differ in their extension get separate texts, and a second run has nothing to do', async () => {
  const same = join(folder, 'same')
  await mkdir(same)
  for (const name of ['memo.mp3', 'memo.wav'])
    await copyFile(recordingFile('short-01.flac').name!, join(same, name))
  await copyFile(
    recordingFile('nothing-silence.flac').name!,
    pathIn(same, Buffer.from('M\xfcller.ogg', 'latin1')),
  )
  // Into the folder of the recordings: a later run does not list its own texts as skipped.
  const first = await run(['same', '--output', 'same', '--force'])
  expect([first.code, first.errors]).toEqual([0, '3 transcribed, 0 failed.\n'])
  const texts = (await readdir(same)).filter((name) => name.endsWith('.txt'))
  expect(texts.toSorted()).toEqual(['M\uFFFDller.txt', 'memo.mp3.txt', 'memo.wav.txt'])
  expect(await Bun.file(join(same, 'memo.wav.txt')).text()).toBe(shortText)
  for (const args of [['same'], ['same/memo.mp3'], ['same/memo.wav']])
    expect(await run([...args, '--output', 'same'])).toMatchObject({
      code: 0,
      errors: expect.stringContaining('already done'),
    })
  await rm(join(same, 'memo.wav.txt'))
  await writeFile(join(same, 'memo.wav.txt.part'), 'half of')
  const rest = await run(['same/memo.wav', '--output', 'same'])
  expect(rest).toMatchObject({ code: 0, errors: '' })
  expect(await Bun.file(join(same, 'memo.wav.txt')).text()).toBe(shortText)
}, 180_000)

test('recordings of one name in two folders get separate texts in one output folder', async () => {
  for (const [place, name] of [
    ['a', 'short-01.flac'],
    ['b', 'human-4.flac'],
  ] as const) {
    await mkdir(join(folder, 'twice', place), { recursive: true })
    await copyFile(recordingFile(name).name!, join(folder, 'twice', place, 'memo.wav'))
  }
  const texts = join(folder, 'twice/texts')
  const write = (...args: string[]) => run([...args, '--output', 'twice/texts'])
  const said = (name: string) => Bun.file(join(texts, name)).text()
  for (const place of ['a', 'b']) expect((await write(`twice/${place}`)).errors).toBe('')
  expect(await said('memo.txt')).toBe(shortText)
  const other = await said('memo.wav.txt')
  expect(wordsApart(other, recording('human-4.flac').text)).toBeLessThanOrEqual(1)
  for (const place of ['a', 'b'])
    expect((await write(`twice/${place}`)).errors).toBe('0 transcribed, 0 failed, 1 already done.\n')
  expect((await write('twice/b', '--force')).code).toBe(0)
  expect([await said('memo.txt'), await said('memo.wav.txt')]).toEqual([shortText, other])

  const [sources = ''] = (await readdir(texts)).filter((name) => name.startsWith('.'))
  for (const damage of [() => writeFile(join(texts, sources), '{"memo'), () => rm(join(texts, sources))]) {
    await damage()
    const unsure = await write('twice/b')
    expect([unsure.code, unsure.errors]).toEqual([
      1,
      expect.stringMatching(/^memo\.wav: .*memo\.txt exists .* --force .*\n0 transcribed, 1 fail/),
    ])
    expect(await said('memo.txt')).toBe(shortText)
  }
}, 120_000)

test.skipIf(process.getuid?.() === 0)('an unreadable file counts as failed', async () => {
  await mkdir(join(folder, 'closed'))
  await chmod(join(folder, 'closed'), 0)
  expect(await run(['closed'])).toMatchObject({ code: 1, errors: expect.stringContaining('cannot be read') })
})

test('refuses invalid arguments and says what would be valid', async () => {
  const refused = async (...args: string[]) => {
    const { code, output, errors } = await run(args)
    expect([code, output]).toEqual([args[0] === 'nowhere.wav' ? 5 : 2, ''])
    return errors
  }
  expect(await refused()).toContain('Missing required argument PATH.')
  expect(await refused('nowhere.wav')).toContain('There is no file or folder nowhere.wav.')
  expect(await refused('talks', '--format', 'docx')).toContain('one of txt, md, srt, vtt, json, not docx')
  expect(await refused('talks', '--json', '--format', 'srt')).toContain('cannot be combined')
  expect(await refused('talks', '--words')).toContain('add --json')
  const unknown = await run(['talks/one.flac', '--model', 'enormous'])
  expect([unknown.code, unknown.output, unknown.errors]).toEqual([3, '', expect.stringContaining('enormous')])
  const unreachable = await run(['talks/one.flac', '--server', 'http://127.0.0.1:9'])
  expect([unreachable.code, unreachable.errors]).toEqual([3, expect.stringContaining('Start it there')])
}, 180_000)

test('a slow reader receives a long response in full', async () => {
  const gate = join(folder, 'gate')
  await Bun.$`mkfifo ${gate}`
  const before = transcribedCount()
  // The text before the response leaves some hundred bytes of the pipe's 64 KiB.
  const line = '(printf "%065000d\\n" 0; "$0" transcribe "$1" --json --words) | (cat "$2"; cat)'
  const child = inShell(line, 'paragraph-1.flac', gate)
  await until(() => transcribedCount() > before, { timeoutMs: 60_000 })
  await writeFile(gate, '')
  const [zeros, answer] = (await new Response(child.stdout).text()).split('\n', 2)
  expect(zeros).toHaveLength(65_000)
  expect(answer!.length).toBeGreaterThan(4096)
  const { segments, duration } = JSON.parse(answer!)
  expect(duration).toBeGreaterThan(20)
  expect(segments.flatMap(({ words }: { words: unknown[] }) => words).length).toBeGreaterThan(45)
}, 120_000)

/** @param line has the script as "$0" and the recording as "$1", followed by `more` */
const inShell = (line: string, recording: string, ...more: string[]) =>
  Bun.spawn(['sh', '-c', line, script, recordingFile(recording).name!, ...more], {
    env: { ...process.env, DICTATION_URL: server.url },
    stdout: 'pipe',
    stderr: 'pipe',
  })

const transcribedCount = () => server.log().filter(({ msg }) => msg === 'transcribed').length

test.skipIf(!existsSync('/dev/full'))(
  'reports a failed write and counts it as failed',
  async () => {
    const child = inShell('"$0" transcribe "$1" > /dev/full', 'short-01.flac')
    const errors = await new Response(child.stderr).text()
    expect([await child.exited, errors]).toEqual([1, expect.stringMatching(/^Some output .*ENOSPC\)\.\n$/)])
  },
  60_000,
)

test('a reader may close the pipe early', async () => {
  const line = '("$0" transcribe "$1" --json; echo "code $?" >&2) | :'
  const child = inShell(line, 'short-01.flac')
  expect(await new Response(child.stderr).text()).toBe('code 0\n')
}, 180_000)
