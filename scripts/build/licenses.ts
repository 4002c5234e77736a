// The notices of everything inside the executable, which must travel with it.

import { join, resolve } from 'node:path'
import { ownFile } from '../../src/lib/own-files.ts'

const NOTICE_FILE = /(licen[cs]e|copying|notice)[^.]*(\.(md|txt))?$/i

/** Parts that are in no package's own license file. */
const PREFACE = `Local Dictation is MIT-licensed. This file has the notices of everything that is inside the executable.

Bun (MIT) contains JavaScriptCore, which is LGPL-2, and other libraries: https://bun.com/docs/project/license
codec-parser is LGPL-3.0 and used unmodified; the source of Local Dictation and "npm run build" link it again.
Whisper's weights are OpenAI's (MIT). Silero's model is MIT. opencc-js contains OpenCC's tables (Apache-2.0).
`

/** @param paths of everything inside, from the project's root */
export async function noticesOf(paths: string[]): Promise<string> {
  const folders = paths.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
  const packages = [...new Set(folders.filter((folder) => folder !== undefined))]
  const sections = await Promise.all([
    sectionOf('Local Dictation', [ownFile('LICENSE')]),
    sectionOf('Whisper', [ownFile('src/models/LICENSE-whisper')]),
    ...packages.map((folder) => ofPackage(resolve(ownFile('.'), folder))),
  ])
  // Two paths may lead to the same package.
  return [PREFACE, ...new Set(sections)].join('\n')
}

async function ofPackage(folder: string): Promise<string> {
  const { name, version, license, author } = await Bun.file(join(folder, 'package.json')).json()
  const [atTop, below] = ['*', 'LICENSES/*'].map((names) => Array.fromAsync(new Bun.Glob(names).scan(folder)))
  const files = (await atTop!).filter((file) => NOTICE_FILE.test(file)).concat(await below!)
  const by = typeof author === 'string' ? author : author?.name
  const title = `${name} ${version}: ${license}${by ? `, by ${by}` : ''}`
  return sectionOf(
    title,
    files.sort().map((file) => join(folder, file)),
  )
}

async function sectionOf(title: string, files: string[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()))
  return [`${'='.repeat(80)}\n${title}\n`, ...texts.map((text) => `${text.trim()}\n`)].join('\n')
}
