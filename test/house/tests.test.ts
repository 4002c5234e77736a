// Tests mirror the tree: in a folder with the name of a folder of sources, a test is named after the file that it guards,
// with an aspect after the name if there are several. Tests of the tests' own modules are named after those.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Glob } from 'bun'

const root = resolve(import.meta.dir, '../..')

/** The folders that may contain the sources of a folder of tests. */
const foldersOf = (folder: string): string[] =>
  ['src', '.'].map((above) => join(above, folder)).filter((one) => existsSync(join(root, one)))

const withoutEnding = (path: string): string => basename(path).replace(/\.(tsx?|m?js)$/, '')

test('a test has the name of the file that it guards', async () => {
  const sources = await Array.fromAsync(
    new Glob('{src,db,wasm,scripts,test}/**/*.{ts,tsx,js,mjs}').scan({ cwd: root }),
  )
  const modules = sources.filter((source) => !source.endsWith('.test.ts') && !source.includes('node_modules'))
  const misnamed: string[] = []
  for await (const path of new Glob('**/*.test.ts').scan({ cwd: join(root, 'test') })) {
    const folders = foldersOf(dirname(path))
    if (folders.length === 0 || dirname(path) === '.') continue
    const name = basename(path, '.test.ts')
    const nearby = [...folders, join('test', dirname(path))]
    const named = modules.filter((source) => nearby.includes(dirname(source))).map(withoutEnding)
    if (!named.some((one) => name === one || name.startsWith(`${one}-`))) misnamed.push(path)
  }
  expect(misnamed).toEqual([])
})
