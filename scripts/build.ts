// npm run build: makes one file per system that contains Bun, the program and everything that it reads.

import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { asSentence, closestWord, didYouMean } from '../src/lib/did-you-mean.ts'
import { ownFile } from '../src/lib/own-files.ts'
import { sha256Of } from '../src/lib/sha256-of.ts'
import { bundledModules, compileExecutable } from './build/bundle.ts'
import { noticesOf } from './build/licenses.ts'
import { COMPRESSED, OF_PACKAGES, stageFiles } from './build/stage.ts'
import { fetchBun, fileIn, findBun, TARGETS, type Target } from './build/targets.ts'
import { optionsOrExit } from './options.ts'

const USAGE = `Builds the executable "dictation": one file with server, page, documentation, both models, migrations and engine.

usage: npm run build [-- options]

  --target NAMES   for these systems, with commas between them [default: all]:
                   ${TARGETS.join(', ')}
  --fetch          downloads Bun for the other systems from the npm registry (40 to 55 MB each) into .build/bun

The files are written to dist/NAME. Without --fetch, systems whose Bun is not in .build/bun are left out.`

const OUT = ownFile('dist')
const WORK = ownFile('.build')

const options = optionsOrExit({ target: { type: 'string' }, fetch: { type: 'boolean' } }, USAGE)
const names = options.target?.split(',').map((name) => name.trim())
for (const name of names ?? [])
  if (!TARGETS.includes(name as Target)) {
    console.error(asSentence(`There is no target ${name}${didYouMean(closestWord(name, TARGETS))}`))
    console.error(`The targets are ${TARGETS.join(', ')}.`)
    process.exit(2)
  }

const step = (text: string) => console.error(text)

step('Collecting files and licenses …')
const packaged = [...OF_PACKAGES, ...COMPRESSED].map(([path]) => path)
const notices = await noticesOf([...(await bundledModules()), ...packaged])
const assets = await stageFiles(join(WORK, 'stage'), notices)

const left: string[] = []
for (const target of (names ?? TARGETS) as Target[]) {
  const bun = await bunFor(target)
  if (bun === null) left.push(target)
  else await build(target, bun)
}
await rm(join(WORK, 'stage'), { recursive: true, force: true })
if (left.length > 0 && !options.fetch)
  console.error(`Not built: ${left.join(', ')}. Run again with --fetch to download Bun for these systems.`)
if (left.length > 0 && names !== undefined) process.exit(1)

async function bunFor(target: Target): Promise<string | null> {
  const folder = join(WORK, 'bun')
  const found = await findBun(target, folder)
  if (found !== null || !options.fetch) return found
  step(`${target}: downloading Bun ${Bun.version} …`)
  const fetched = await fetchBun(target, folder)
  if (fetched.ok) return fetched.value
  console.error(`${target}: ${fetched.failure}`)
  return null
}

async function build(target: Target, bun: string): Promise<void> {
  step(`${target}: building …`)
  const outfile = fileIn(OUT, target)
  await mkdir(dirname(outfile), { recursive: true })
  await compileExecutable({ bun, target, assets, outfile })
  await Bun.write(join(dirname(outfile), 'licenses.txt'), notices)
  const megabytes = ((await stat(outfile)).size / 1e6).toFixed(1)
  console.log(`${relative(ownFile('.'), outfile)}  ${megabytes} MB  SHA-256 ${await sha256Of(outfile)}`)
}
