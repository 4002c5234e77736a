// How a whole run is divided. Tests that speak into a browser's microphone do so in real time and wait more than they compute:
// among the others each holds a place in which something could be computed, and in the end several wait side by side. So they
// have a lane of their own from the beginning. Read from the imports at each run, so that no list of them can go stale.

import { join } from 'node:path'
import { Glob } from 'bun'

/** What a test has imported that speaks. */
const SPEAKS = '/microphone-browser.ts'

export type Lane = { options: string[]; files: string[] }

/**
 * @param given for `bun test`; who asks for anything but a number of places beside each other has one lane
 * @param folder the project's
 * @returns the lane whose output a person sees as it comes, and what goes on beside it
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
