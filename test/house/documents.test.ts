import { describe, expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'

const root = resolve(import.meta.dir, '../..')
const DOCUMENTS = [
  'ARCHITECTURE.md',
  'docs/storage.md',
  'docs/recognition.md',
  'docs/engine.md',
  'docs/experiments.md',
  'docs/text.md',
  'docs/http.md',
  'docs/page.md',
]
const MAX_LINES = 5
const MAX_CHARACTERS = 120

const GLOBS = ['*', '{src,db,wasm,test,docs}/**/*', 'scripts/*', 'scripts/{bench,test}/**/*']
const files = (
  await Promise.all(GLOBS.map((glob) => Array.fromAsync(new Glob(glob).scan({ cwd: root }))))
).flat()

/** A file of the tree, such as `lib/time-slice.ts`; not `GET /captures`, and not a file that the server writes. */
const NAMED = /`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|js|wasm|tar\.gz))`/g

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '')

/** Paragraphs of running text; each item of a list is one. */
const paragraphsIn = (text: string) =>
  withoutCode(text)
    .split(/\n\n+|\n(?=- |\d+\. )/)
    .filter((block) => block.trim() !== '' && !block.startsWith('|') && !block.startsWith('#'))

describe.each(DOCUMENTS)('%s', (document) => {
  const read = () => Bun.file(join(root, document)).text()

  test('names only existing files', async () => {
    const named = [...(await read()).matchAll(NAMED)].map(([, path]) => path!)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => !files.some((file) => file === path || file.endsWith(`/${path}`)))).toEqual(
      [],
    )
  })

  test('links only to existing files', async () => {
    const links = [...(await read()).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path!)
    const folder = join(document, '..')
    expect(links.filter((path) => !files.includes(join(folder, path)))).toEqual([])
  })

  test('has no paragraph of more than five lines of 120 characters', async () => {
    const long = paragraphsIn(await read()).filter(
      (paragraph) =>
        paragraph.trim().split('\n').length > MAX_LINES ||
        paragraph.split('\n').some((line) => line.length > MAX_CHARACTERS),
    )
    expect(long).toEqual([])
  })
})
