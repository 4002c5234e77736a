// Runs a script of the folder python and returns the JSON object that it prints.

import { expect } from 'bun:test'
import { join } from 'node:path'

export async function askPython(
  python: string,
  script: string,
  ...args: string[]
): Promise<Record<string, unknown>> {
  const command = [python, join(import.meta.dir, 'python', script), ...args]
  const child = Bun.spawn(command, { stderr: 'pipe' })
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect(await child.exited, errors).toBe(0)
  return JSON.parse(output)
}
