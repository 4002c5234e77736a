// The committed build of the page is up to date and small enough to load at once.

import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BUILT, outdated } from '../../scripts/page.ts'

test('src/ui/built matches the sources (npm run page rebuilds it)', async () => {
  expect(await outdated()).toEqual([])
})

test('the first view is at most 150 KB, compressed', async () => {
  const first = ['index.html', 'main.js', 'page.css', 'theme.js', 'icon.svg']
  const chunks = await chunksOf('main.js')
  const sizes = await Promise.all(
    [...first, ...chunks].map(async (name) => Bun.gzipSync(await Bun.file(join(BUILT, name)).bytes()).length),
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150 * 1024)
})

test('contains one copy of Preact, since two cannot share a component', async () => {
  const texts = await Promise.all(
    (await readdir(BUILT))
      .filter((name) => name.endsWith('.js'))
      .map((name) => Bun.file(join(BUILT, name)).text()),
  )
  const copies = texts.map((text) => text.split('dangerouslySetInnerHTML').length > 1).filter(Boolean)
  expect(copies.length).toBe(1)
})

test('contains no address of another host', async () => {
  for (const name of await readdir(BUILT)) {
    const addresses = (await Bun.file(join(BUILT, name)).text()).match(/https?:\/\/[\w.-]+/g) ?? []
    // XML namespaces, which are never requested, and the placeholder of a setting.
    expect(addresses.filter((one) => !/w3\.org$|127\.0\.0\.1$|localhost$/.test(one))).toEqual([])
  }
})

/** The files that a script imports statically, transitively. */
async function chunksOf(script: string, seen = new Set<string>()): Promise<Set<string>> {
  const text = await Bun.file(join(BUILT, script)).text()
  for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) {
    if (seen.has(name!)) continue
    seen.add(name!)
    await chunksOf(name!, seen)
  }
  return seen
}
