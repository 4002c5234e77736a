// The disk of the harness of power cuts: what it keeps and what it loses. A unit test; no real disk is involved.

import { describe, expect, test } from 'bun:test'
import { createModelDisk, emptyFile, type FileNode, type Survival } from './model-disk.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const NEVER = () => 1
const NOTHING = bytes('')

function disk() {
  const model = createModelDisk(
    new Map([
      ['folder/', NOTHING],
      ['other/', NOTHING],
    ]),
  )
  const write = (path: string, text: string): FileNode => {
    const file = emptyFile()
    model.make(path, file)
    model.write(file, bytes(text), 0)
    return file
  }
  const sync = (path: string) => model.sync(model.find(path)!)()
  const left = (survival: Survival = 'synced', chance = NEVER) =>
    [...model.survive(survival, chance)]
      .filter(([path]) => !path.endsWith('/'))
      .map(([path, content]) => `${path}: ${new TextDecoder().decode(content)}`)
  return { ...model, write, syncPath: sync, left }
}

describe('A power cut on the model disk', () => {
  test('keeps what was synced, under a name whose folder was synced', () => {
    const model = disk()
    model.write('folder/a', 'words')
    model.syncPath('folder/a')
    expect(model.left()).toEqual([])
    model.syncPath('folder')
    expect(model.left()).toEqual(['folder/a: words'])
  })

  test('loses bytes that were never synced, also where their name was', () => {
    const model = disk()
    model.write('folder/a', 'words')
    model.syncPath('folder')
    expect(model.left()).toEqual(['folder/a: '])
  })

  test('keeps of a file what it held when the sync was asked for', () => {
    const model = disk()
    const file = model.write('folder/a', 'words')
    model.syncPath('folder')
    const answer = model.sync(file)
    model.write('folder/b', 'more')
    model.resize(file, 2)
    answer()
    expect(model.left()).toEqual(['folder/a: words'])
  })

  test('shows the old name of a file whose new folder alone was synced, and never neither', () => {
    const model = disk()
    const file = model.write('folder/a', 'words')
    model.sync(file)()
    model.syncPath('folder')
    model.rename('folder/a', 'other/b')
    expect(model.left()).toEqual(['folder/a: words'])
    model.syncPath('other')
    expect(model.left()).toEqual(['folder/a: words', 'other/b: words'])
    model.syncPath('folder')
    expect(model.left()).toEqual(['other/b: words'])
  })

  test('shows the new name of a file whose old folder alone was synced', () => {
    const model = disk()
    const file = model.write('folder/a', 'words')
    model.sync(file)()
    model.syncPath('folder')
    model.rename('folder/a', 'other/b')
    model.syncPath('folder')
    expect(model.left()).toEqual(['other/b: words'])
  })

  test('may have every name change on the disk before any byte', () => {
    const model = disk()
    model.write('folder/a', 'words')
    model.rename('folder/a', 'folder/b')
    expect(model.left('names_ahead')).toEqual(['folder/b: '])
  })

  test('brings back a removed file whose folder was not synced', () => {
    const model = disk()
    model.sync(model.write('folder/a', 'words'))()
    model.syncPath('folder')
    model.remove('folder/a')
    expect(model.left()).toEqual(['folder/a: words'])
    expect(model.left('names_ahead')).toEqual([])
  })
})
