// `npm run dev` on the project's own sources, with the real server. The only source change is the modification time of
// one file.

import { expect } from 'bun:test'
import { utimes } from 'node:fs/promises'
import { resolve } from 'node:path'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

const root = resolve(import.meta.dir, '../..')

testAtLength('a source change restarts the server on the same archive, and a signal ends both', async () => {
  await using folder = await createTestFolder()
  const env = { ...process.env, PORT: '0', DICTATION_DATA_DIR: folder.dataFolder }
  const dev = Bun.spawn([process.execPath, resolve(root, 'scripts/dev.ts')], {
    env,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let said = ''
  const reading = dev.stdout.pipeTo(
    new WritableStream({
      write(chunk) {
        said += Buffer.from(chunk).toString()
      },
    }),
  )
  const ready = () => said.match(/"msg":"ready"/g)?.length ?? 0
  await until(() => ready() === 1, { timeoutMs: 60_000, what: () => `a first server; it said ${said}` })

  await utimes(resolve(root, 'src/main.ts'), new Date(), new Date())
  await until(() => ready() === 2, { timeoutMs: 60_000, what: () => `a second server; it said ${said}` })
  expect(said).toContain('stopping')

  dev.kill('SIGTERM')
  expect(await dev.exited).toBe(0)
  await reading
  expect(said.match(/"msg":"stopping/g)).toHaveLength(2)
})
