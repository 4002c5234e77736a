// An executable fails only where it runs: everything that the program reads or starts must be listed for it.

import { expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'
import { COMPRESSED, OF_PACKAGES, OWN } from '../../../scripts/build/stage.ts'

const root = resolve(import.meta.dir, '../../..')

/** It only names the folder of an existing file. */
const NOT_READ = ['node_modules/@echogarden/speex-resampler-wasm/simd']

test('the executable has every file that the program reads, and every script that it starts', async () => {
  const texts = await Promise.all(
    (await Array.fromAsync(new Glob('{src,db,wasm}/**/*.ts').scan({ cwd: root }))).map((file) =>
      Bun.file(join(root, file)).text(),
    ),
  )
  const named = texts.flatMap((text) =>
    [...text.matchAll(/(?:wnFile\(|readCompressed\(|= )'((?:src|db|wasm|node_modules|docs)\/[^']+)'/g)].map(
      ([, path]) => path!,
    ),
  )
  const [scripts, entries] = await Promise.all(
    ['src/executable.ts', 'scripts/build/bundle.ts'].map((file) => Bun.file(join(root, file)).text()),
  )
  const files = [...OWN, ...[...COMPRESSED, ...OF_PACKAGES].map(([path]) => path), 'docs/licenses.txt']
  const isThere = (path: string) =>
    path.endsWith('.ts')
      ? scripts!.includes(`'${path}'`) || entries!.includes(`'${path}'`)
      : files.includes(path) || files.some((file) => file.startsWith(`${path}/`))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !isThere(path) && !NOT_READ.includes(path))).toEqual([])
})
