// Starts the server on a full disk, a file system of its own; skipped if none can be mounted.

import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const main = resolve(import.meta.dir, '../../src/main.ts')
const canMount =
  process.platform === 'linux' &&
  Bun.spawnSync(['unshare', '--map-root-user', '--mount', 'true']).exitCode === 0

/** The last line of a start on a disk of 8 MB with `filledBytes` in use. */
async function startOn(filledBytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-full-'))
  const steps = `mount -t tmpfs -o mode=700,size=8m none "$0" && { head -c ${filledBytes} /dev/zero > "$0/other" || true; } && exec "$@"`
  const server = Bun.spawn(
    [...['unshare', '--map-root-user', '--mount', 'sh', '-c', steps, folder], ...[process.execPath, main]],
    {
      env: { ...process.env, PORT: '0', DICTATION_DATA_DIR: join(folder, 'data'), DATABASE_URL: '' },
      stdout: 'ignore',
      stderr: 'pipe',
    },
  )
  const [code, said] = await Promise.all([server.exited, new Response(server.stderr).text()])
  await rm(folder, { recursive: true, force: true })
  return { code, lines: said.split('\n').filter((line) => line.startsWith('local-dictation:')), folder }
}

for (const [what, filledBytes] of [
  ['no byte', 16_000_000],
  ['too little for a database', 0],
] as const)
  test.skipIf(!canMount)(
    `a start on a disk with ${what} of room ends with one line that names the folder and the remedy`,
    async () => {
      const { code, lines, folder } = await startOn(filledBytes)
      expect(code).toBe(1)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(join(folder, 'data'))
      expect(lines[0]).toContain('is full')
      expect(lines[0]).toContain('300 MB')
      expect(lines[0]).toContain('DICTATION_DATA_DIR')
    },
  )
