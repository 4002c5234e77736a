// What the documents say of the tree: files that they name are there, and a paragraph can be read in one go.
// Whether what they say of a file is true only a reader can tell.

import { describe, expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'

const root = resolve(import.meta.dir, '../..')
const DOCUMENTS = [
  'ARCHITECTURE.md',
  'docs/storage.md',
  'docs/hearing.md',
  'docs/engine.md',
  'docs/text.md',
  'docs/http.md',
  'docs/page.md',
]
const MOST_LINES = 5
const MOST_LETTERS = 120

const PLACES = [
  '*',
  '{src,db,wasm,test,docs}/**/*',
  'scripts/*',
  'scripts/{bench,client,import,retranscribe}/**/*',
]
const files = (
  await Promise.all(PLACES.map((place) => Array.fromAsync(new Glob(place).scan({ cwd: root }))))
).flat()

/** A file of the tree: `lib/time-slice.ts`, not `GET /captures` and not a file that the server writes. */
const NAMED = /`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|js|wasm|tar\.gz))`/g

const withoutPictures = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '')

/** Lines of running text that stand together; of a list each item is one. */
const paragraphsIn = (text: string) =>
  withoutPictures(text)
    .split(/\n\n+|\n(?=- |\d+\. )/)
    .filter((block) => block.trim() !== '' && !block.startsWith('|') && !block.startsWith('#'))

describe.each(DOCUMENTS)('%s', (document) => {
  const read = () => Bun.file(join(root, document)).text()

  test('names no file that is not there', async () => {
    const named = [...(await read()).matchAll(NAMED)].map(([, path]) => path!)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => !files.some((file) => file === path || file.endsWith(`/${path}`)))).toEqual(
      [],
    )
  })

  test('links only to files that are there', async () => {
    const links = [...(await read()).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path!)
    const folder = join(document, '..')
    expect(links.filter((path) => !files.includes(join(folder, path)))).toEqual([])
  })

  test('has no paragraph of more than five lines', async () => {
    const long = paragraphsIn(await read()).filter(
      (paragraph) =>
        paragraph.trim().split('\n').length > MOST_LINES ||
        paragraph.split('\n').some((line) => line.length > MOST_LETTERS),
    )
    expect(long).toEqual([])
  })
})
