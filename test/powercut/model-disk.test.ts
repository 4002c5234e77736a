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

describe('a power cut on the model disk', () => {
  test('keeps synced files whose folder was synced', () => {
    const model = disk()
    model.write('folder/a', 'words')
    model.syncPath('folder/a')
    expect(model.left()).toEqual([])
    model.syncPath('folder')
    expect(model.left()).toEqual(['folder/a: words'])
  })

  test('loses unsynced bytes, even under a synced name', () => {
    const model = disk()
    model.write('folder/a', 'words')
    model.syncPath('folder')
    expect(model.left()).toEqual(['folder/a: '])
  })

  test('keeps the content that a file had when its sync began', () => {
    const model = disk()
    const file = model.write('folder/a', 'words')
    model.syncPath('folder')
    const finish = model.sync(file)
    model.write('folder/b', 'more')
    model.resize(file, 2)
    finish()
    expect(model.left()).toEqual(['folder/a: words'])
  })

  test('keeps both names of a renamed file if only its new folder was synced, and at least one in any case', () => {
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

  test('keeps the new name of a renamed file if only its old folder was synced', () => {
    const model = disk()
    const file = model.write('folder/a', 'words')
    model.sync(file)()
    model.syncPath('folder')
    model.rename('folder/a', 'other/b')
    model.syncPath('folder')
    expect(model.left()).toEqual(['other/b: words'])
  })

  test('can persist every name change before any byte', () => {
    const model = disk()
    model.write('folder/a', 'words')
    model.rename('folder/a', 'folder/b')
    expect(model.left('names_ahead')).toEqual(['folder/b: '])
  })

  test('restores a removed file whose folder was not synced', () => {
    const model = disk()
    model.sync(model.write('folder/a', 'words'))()
    model.syncPath('folder')
    model.remove('folder/a')
    expect(model.left()).toEqual(['folder/a: words'])
    expect(model.left('names_ahead')).toEqual([])
  })
})
