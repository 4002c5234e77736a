// Runs the tests as `bun test` does: all, those it is asked for, or the unit tests; says in the end how to run alone what failed.
// What is given on the command line is for `bun test`, but for --unit.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryFolder } from './test/memory-folder.ts'
import { howToRunAlone } from './test/run-alone.ts'
import { unitTests } from './test/unit-tests.ts'

/** A test of whole servers may wait for minutes; each wait in it has a deadline of its own. */
const LONGEST_MS = '300000'
/** Unit tests are run while one writes: properties try for a moment, lengths are left out, files share what they import. */
const QUICKLY = { env: { TESTS: 'quick' }, options: ['--no-isolate'] }
const WHOLLY = { env: {}, options: [] }

/** Whoever names one is heeded. */
async function temporaryFolder(): Promise<{ TMPDIR?: string }> {
  const folder = process.env.TMPDIR ? null : await memoryFolder()
  return folder === null ? {} : { TMPDIR: folder }
}

async function main(args: string[]): Promise<number> {
  const given = args.filter((arg) => arg !== '--unit')
  const isUnit = given.length < args.length
  const files = isUnit ? await unitTests() : []
  const how = isUnit ? QUICKLY : WHOLLY
  const folder = await mkdtemp(join(tmpdir(), 'dictation-report-'))
  const report = join(folder, 'report.xml')
  const options = ['--timeout', LONGEST_MS, '--reporter=junit', `--reporter-outfile=${report}`]
  const child = Bun.spawn([process.execPath, 'test', ...options, ...how.options, ...given, ...files], {
    env: { ...process.env, ...(await temporaryFolder()), ...how.env },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  // In a terminal Ctrl-C reaches the tests by itself.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const code = await child.exited
  const alone = howToRunAlone(
    await Bun.file(report)
      .text()
      .catch(() => ''),
  )
  await rm(folder, { recursive: true })
  if (alone.length > 0) console.error(`\nTo run alone what failed:\n  ${alone.join('\n  ')}`)
  return code
}

process.exit(await main(process.argv.slice(2)))
