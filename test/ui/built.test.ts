// What is committed of the page is what its sources give, and small enough to be there at once.
// What it does is test/browser's and the other files' here.

import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BUILT, outdated } from '../../scripts/page.ts'

test('the page that is committed is what its sources give: npm run page', async () => {
  expect(await outdated()).toEqual([])
})

test('its first view is at most 150 KB, compressed', async () => {
  const first = ['index.html', 'main.js', 'page.css', 'theme.js', 'icon.svg']
  const chunks = await chunksOf('main.js')
  const sizes = await Promise.all(
    [...first, ...chunks].map(async (name) => Bun.gzipSync(await Bun.file(join(BUILT, name)).bytes()).length),
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150 * 1024)
})

test('it holds one copy of Preact, since two cannot share a component', async () => {
  const texts = await Promise.all(
    (await readdir(BUILT))
      .filter((name) => name.endsWith('.js'))
      .map((name) => Bun.file(join(BUILT, name)).text()),
  )
  const copies = texts.map((text) => text.split('dangerouslySetInnerHTML').length > 1).filter(Boolean)
  expect(copies.length).toBe(1)
})

test('it names no address but its own', async () => {
  for (const name of await readdir(BUILT)) {
    const addresses = (await Bun.file(join(BUILT, name)).text()).match(/https?:\/\/[\w.-]+/g) ?? []
    // Names of XML, which nothing is asked for at, and what a setting's placeholder shows.
    expect(addresses.filter((one) => !/w3\.org$|127\.0\.0\.1$|localhost$/.test(one))).toEqual([])
  }
})

/** Files that a script imports at once, and those that they import. */
async function chunksOf(script: string, seen = new Set<string>()): Promise<Set<string>> {
  const text = await Bun.file(join(BUILT, script)).text()
  for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) {
    if (seen.has(name!)) continue
    seen.add(name!)
    await chunksOf(name!, seen)
  }
  return seen
}
