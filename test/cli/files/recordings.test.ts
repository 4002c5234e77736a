// How scripts walk a folder of recordings: what they include, skip and why, and where their texts go. Real files and
// folders, of every kind that a file system has.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FilePath, pathIn, textOfPath } from '../../../src/cli/files/file-path.ts'
import { pathsAt } from '../../../src/cli/files/paths.ts'
import {
  type FoundFile,
  filesAtAll,
  isRecording,
  type SkipReason,
} from '../../../src/cli/files/recordings.ts'
import { outputNames } from '../../../src/cli/transcribe/output-names.ts'
import { recordingFile } from '../../support/speech.ts'

const sound = recordingFile('nothing-silence.flac').name!
const isRoot = process.getuid?.() === 0

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation-walk-'))
})
afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true, force: true })
})

async function walk(...paths: FilePath[]) {
  const recordings: FoundFile[] = []
  const skipped: [name: string, reason: SkipReason][] = []
  const onSkipped = (path: FilePath, reason: SkipReason) =>
    void skipped.push([textOfPath(path).slice(folder.length + 1), reason])
  for await (const file of filesAtAll(paths.length === 0 ? [folder] : paths, onSkipped))
    if (await isRecording(file, onSkipped)) recordings.push(file)
  return { recordings, names: recordings.map(({ name }) => name), skipped }
}

const latin1 = (name: string): Buffer => Buffer.from(name, 'latin1')

test('skips recordings and folders that disappear during the walk', async () => {
  for (const name of ['b', 'd']) await mkdir(join(folder, name))
  for (const name of ['a.wav', 'b/in.wav', 'c.wav', 'd/in.wav', 'e.wav'])
    await writeFile(join(folder, name), 'x')
  const skipped: unknown[] = []
  const files = filesAtAll([folder], (path) => skipped.push(path))
  const found = [(await files.next()).value?.name]
  await rm(join(folder, 'b'), { recursive: true })
  await rm(join(folder, 'c.wav'))
  for await (const { name } of files) found.push(name)
  expect(found).toEqual(['a.wav', 'd/in.wav', 'e.wav'])
  await rm(folder, { recursive: true })
  expect(await Array.fromAsync(filesAtAll([folder], (path) => skipped.push(path)))).toEqual([])
  expect(skipped).toEqual([])
  await mkdir(folder)
})

test('detects recordings by content, whatever their names, and lists everything else', async () => {
  const endings = ['qta', '3ga', 'mpga', 'weba', 'oga', 'opus', 'jpg', 'unknown']
  for (const ending of endings) await copyFile(sound, join(folder, `memo.${ending}`))
  await copyFile(sound, join(folder, 'no ending'))
  await writeFile(join(folder, 'README.md'), 'Notes about the recordings')
  await writeFile(join(folder, 'empty.wav'), '')
  await writeFile(join(folder, 'photo.jpg'), Buffer.from('ffd8ffe000104a4649460001', 'hex'))
  await writeFile(join(folder, '.DS_Store'), 'Bud1')
  await symlink(join(folder, 'nowhere'), join(folder, 'dangling.wav'))
  await symlink(join(folder, 'itself.wav'), join(folder, 'itself.wav'))
  await Bun.$`mkfifo ${join(folder, 'pipe.wav')}`
  const { names, skipped } = await walk()
  expect(names.toSorted()).toEqual([...endings.map((ending) => `memo.${ending}`), 'no ending'].toSorted())
  expect(skipped.toSorted()).toEqual([
    ['.DS_Store', 'hidden'],
    ['README.md', 'not_a_recording'],
    ['dangling.wav', 'dangling_link'],
    ['empty.wav', 'empty'],
    ['itself.wav', 'dangling_link'],
    ['photo.jpg', 'not_a_recording'],
    ['pipe.wav', 'special'],
  ] as typeof skipped)
})

/** Each with a length in four bytes and a picture of 200 KB. */
const TAGS = {
  ID3: Buffer.concat([
    Buffer.from('ID3\x03\0\0', 'latin1'),
    Buffer.from([0, (200_000 >> 14) & 127, (200_000 >> 7) & 127, 200_000 & 127]),
    Buffer.alloc(200_000, 0x80),
  ]),
  APE: Buffer.concat([
    Buffer.from('APETAGEX'),
    Buffer.from(new Uint32Array([2000, 200_000, 1, 0xa0000000, 0, 0]).buffer),
    Buffer.alloc(200_000, 0x80),
  ]),
}

test('detects a recording behind a large tag, such as one with a picture', async () => {
  const bytes = await Bun.file(sound).bytes()
  for (const [name, tag] of Object.entries(TAGS))
    await writeFile(pathIn(folder, latin1(`${name} \xfc.flac`)), Buffer.concat([tag, bytes]))
  await writeFile(join(folder, 'tag alone.mp3'), TAGS.ID3)
  const { names, skipped } = await walk()
  expect([names, skipped]).toEqual([
    ['APE \uFFFD.flac', 'ID3 \uFFFD.flac'],
    [['tag alone.mp3', 'not_a_recording']],
  ])
})

test('follows links, each folder once, also in cycles', async () => {
  await mkdir(join(folder, 'talks/deep'), { recursive: true })
  await copyFile(sound, join(folder, 'talks/deep/one.flac'))
  await symlink(join(folder, 'talks/deep/one.flac'), join(folder, 'linked.flac'))
  await symlink(folder, join(folder, 'talks/deep/up'))
  await symlink(join(folder, 'talks'), join(folder, 'talks again'))
  expect(await walk()).toMatchObject({ names: ['linked.flac', 'talks/deep/one.flac'], skipped: [] })
})

test.skipIf(isRoot)('names what may not be read, a file as well as a folder', async () => {
  await copyFile(sound, join(folder, 'closed.flac'))
  await chmod(join(folder, 'closed.flac'), 0)
  await mkdir(join(folder, 'closed'), { mode: 0 })
  const { names, skipped } = await walk()
  expect([names, skipped]).toEqual([
    [],
    [
      ['closed', 'unreadable'],
      ['closed.flac', 'unreadable'],
    ],
  ])
  await chmod(join(folder, 'closed'), 0o700)
})

test('finds names of any bytes, in folders of any bytes, by what is left of them in an argument', async () => {
  const names = [
    latin1('M\xfcller.wav'),
    latin1('M\xf6ller.wav'),
    Buffer.from('line\nbreak\x1b[31m.wav'),
    Buffer.from('🎙️ memo.wav'),
    Buffer.from(`${'long '.repeat(50)}.wav`),
  ]
  const inner = pathIn(folder, latin1('f\xfcr'))
  await mkdir(inner)
  for (const name of names) {
    await copyFile(sound, pathIn(folder, name))
    await copyFile(sound, pathIn(inner, name))
  }
  const { recordings, skipped } = await walk()
  expect([recordings.length, skipped]).toEqual([10, []])
  expect(recordings.map(({ name }) => name)).toContain('f\uFFFDr/M\uFFFDller.wav')

  // The runtime decodes both names to the same string.
  const meant = await pathsAt([join(folder, 'M\uFFFDller.wav'), join(folder, 'M\uFFFDller.wav')])
  expect((await walk(...meant)).names).toEqual(['M\uFFFDller.wav', 'M\uFFFDller.wav'])
  expect((await walk(...(await pathsAt([join(folder, 'f\uFFFDr')])))).recordings).toHaveLength(5)
  const deep = await pathsAt([join(folder, 'f\uFFFDr/🎙️ memo.wav')])
  expect((await walk(...deep)).names).toEqual(['🎙️ memo.wav'])
  await expect(pathsAt([join(folder, 'M\uFFFDx.wav')])).rejects.toThrow('There is no file or folder')
})

async function textsOf(extension: string, ...given: string[]): Promise<string[]> {
  const paths = given.map((name) => join(folder, name))
  const { recordings } = await walk(...paths)
  const names = await outputNames(recordings, extension)
  expect(new Set(names.map((name) => name.normalize().toLowerCase())).size).toBe(names.length)
  return names
}

test('no two texts share a file on any file system, and the same text always gets the same file', async () => {
  for (const name of ['memo.mp3', 'memo.wav', 'Talk.wav', 'talk.flac', 'alone.ogg', 'memo.mp3.wav'])
    await copyFile(sound, join(folder, name))
  const all = await textsOf('txt')
  expect(all).toEqual(['Talk.wav.txt', 'alone.txt', ...all.slice(2, 5), 'talk.flac.txt'])
  expect(all.slice(2, 5)).toContain('memo.wav.txt')
  expect(await textsOf('txt', 'talk.flac')).toEqual(['talk.flac.txt'])
  expect(await textsOf('txt', 'memo.wav')).toEqual(['memo.wav.txt'])
  expect(await textsOf('srt', 'alone.ogg')).toEqual(['alone.srt'])
})

test('recordings of one name in several folders, and names that a text cannot have, get separate texts', async () => {
  for (const name of ['a', 'b']) {
    await mkdir(join(folder, name))
    await copyFile(sound, join(folder, name, 'memo.wav'))
  }
  expect(await textsOf('txt')).toEqual(['a/memo.txt', 'b/memo.txt'])
  const [first, second] = await textsOf('txt', 'a', 'b')
  expect([first, second]).toEqual([
    expect.stringMatching(/^memo\.wav-[\da-f]{8}\.txt$/),
    expect.stringMatching(/^memo\.wav-[\da-f]{8}\.txt$/),
  ])
  expect(await textsOf('txt', 'b', 'a')).toEqual([second!, first!])

  await copyFile(sound, join(folder, 'a', `${'ü'.repeat(125)}.wav`))
  const [, long] = await textsOf('json', 'a')
  expect(Buffer.byteLength(long!)).toBeLessThan(250)
})
