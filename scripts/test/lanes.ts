// Divides a whole run into lanes. Tests with a browser's microphone run in real time and mostly wait: mixed with the
// others, each would block a slot, and several would wait at the end. They get a lane of their own, found by their
// imports, so that no list can become stale.

import { join } from 'node:path'
import { Glob } from 'bun'

/** The import by which a test is recognised. */
const SPEAKS = '/microphone-browser.ts'

export type Lane = { options: string[]; files: string[] }

/**
 * @param given for `bun test`; arguments other than --parallel mean a single lane
 * @param folder the project's
 * @returns the lane whose output is printed live, followed by the parallel ones
 */
export async function lanesOf(given: string[], folder: string): Promise<[Lane, ...Lane[]]> {
  const asGiven: Lane = { options: given, files: [] }
  if (!given.every((arg) => arg.startsWith('--parallel'))) return [asGiven]
  const tests = await Array.fromAsync(new Glob('test/**/*.test.ts').scan({ cwd: folder }))
  const speaking = new Set<string>()
  for (const test of tests)
    if ((await Bun.file(join(folder, test)).text()).includes(SPEAKS)) speaking.add(test)
  if (speaking.size === 0) return [asGiven]
  return [
    { options: given, files: tests.filter((test) => !speaking.has(test)).sort() },
    { options: ['--isolate'], files: [...speaking].sort() },
  ]
}
