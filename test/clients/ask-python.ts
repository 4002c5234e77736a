// Has a script of the folder python talk to the server, and hands on the JSON object that it writes.

import { expect } from 'bun:test'
import { join } from 'node:path'

export async function askPython(
  python: string,
  script: string,
  ...words: string[]
): Promise<Record<string, unknown>> {
  const command = [python, join(import.meta.dir, 'python', script), ...words]
  const asking = Bun.spawn(command, { stderr: 'pipe' })
  const [said, complaint] = await Promise.all([
    new Response(asking.stdout).text(),
    new Response(asking.stderr).text(),
  ])
  // What it deprecates is told there, too.
  expect(await asking.exited, complaint).toBe(0)
  return JSON.parse(said)
}
