// npm run page: builds src/ui into src/ui/built, which is committed, so that an installation builds nothing.
// test/house/built.test.ts checks that it is up to date.

import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'

const UI = resolve(import.meta.dir, '../src/ui')
export const BUILT = join(UI, 'built')

/** Loaded by these names; shared chunks and lazy views have a hash in their names. */
const ENTRIES = ['main.tsx', 'theme.ts', 'record/worklet.ts', 'styles/page.css']
const AS_THEY_ARE = ['icon.svg', 'sample.mp3']

/** @param folder is emptied first */
export async function buildPage(folder: string): Promise<void> {
  const built = await Bun.build({
    entrypoints: ENTRIES.map((entry) => join(UI, entry)),
    root: UI,
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const file of built.outputs) await Bun.write(join(folder, file.path), file)
  for (const file of AS_THEY_ARE) await cp(join(UI, file), join(folder, file))
  const texts = new Map(
    await Promise.all(built.outputs.map(async (file) => [basename(file.path), await file.text()] as const)),
  )
  const html = await Bun.file(join(UI, 'index.html')).text()
  await Bun.write(join(folder, 'index.html'), withPreloads(html, importedBy('main.js', texts)))
}

/** A script and everything that it imports statically. */
function importedBy(name: string, texts: ReadonlyMap<string, string>): string[] {
  const scan = (file: string) => new Bun.Transpiler().scanImports(texts.get(file) ?? '')
  const found = new Set([name])
  for (const file of found)
    for (const { kind, path } of scan(file)) if (kind === 'import-statement') found.add(basename(path))
  return [...found]
}

/** Preloads all of them at once; otherwise the browser would discover them level by level. */
function withPreloads(html: string, names: string[]): string {
  const links = names.map((name) => `<link rel="modulepreload" href="/page/${name}">`)
  return html.replace('<link rel="modulepreload" href="/page/main.js">', links.join('\n'))
}

/** Names of files that differ, or that only one folder has. */
export async function differences(one: string, other: string): Promise<string[]> {
  const names = new Set((await Promise.all([one, other].map((folder) => readdir(folder)))).flat())
  const bytes = (folder: string, name: string) =>
    Bun.file(join(folder, name))
      .bytes()
      .catch(() => null)
  const found: string[] = []
  for (const name of names) {
    const [left, right] = await Promise.all([bytes(one, name), bytes(other, name)])
    if (left === null || right === null || !Buffer.from(left).equals(right)) found.push(name)
  }
  return found.sort()
}

/** Differences between the committed build and the current sources. */
export async function outdated(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-page-'))
  try {
    await buildPage(folder)
    return await differences(BUILT, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await buildPage(BUILT)
  for (const name of (await readdir(BUILT)).sort()) {
    const bytes = await Bun.file(join(BUILT, name)).bytes()
    console.log(
      `${String(Bun.gzipSync(bytes).length).padStart(7)} B gzip  ${relative('.', join(BUILT, name))}`,
    )
  }
}
