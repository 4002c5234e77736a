// Words that hide the actor or the action in comments, messages and documents.

import { expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'

const root = resolve(import.meta.dir, '../..')

const BANNED =
  /\b(whoever|whomever|somebody|anew|(?:is|are|was|were) (?:told|heard|asked)|lets? go of|what is none|that is none|hear out|of no use|as good as none|(?:broke|breaks?) off|gave no answer|made anew|made rebuild|goes on to)\b/i

/** Word lists, texts that users read (translated as a whole) and generated files. */
const EXEMPT =
  /^(src\/ui\/(built|strings)\/|src\/llm\/guard\/|src\/models\/|CHANGELOG\.md|BENCHMARKS\.md|RELIABILITY\.md)/

async function bannedIn(pattern: string): Promise<string[]> {
  const found: string[] = []
  for (const file of (await Array.fromAsync(new Glob(pattern).scan({ cwd: root }))).sort()) {
    if (EXEMPT.test(file) || file.includes('node_modules')) continue
    for (const [index, line] of (await Bun.file(join(root, file)).text()).split('\n').entries())
      if (BANNED.test(line)) found.push(`${file}:${index + 1}: ${line.trim()}`)
  }
  return found
}

test.each([
  '{src,db,wasm,scripts}/**/*.{ts,tsx,mjs}',
  '*.md',
  'docs/*.md',
  'test/{house,support,api,http,jobs,db}/**/*.ts',
])('no banned word in %s', async (pattern) => {
  const found = (await bannedIn(pattern)).filter((line) => !line.startsWith('test/house/english.test.ts'))
  expect(found).toEqual([])
})
