// The real server while idle; only its database statements are counted.

import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const COUNTER = resolve(import.meta.dir, '../support/count-statements.ts')
const MAX_STATEMENTS = 15
const MINUTE_MS = 60_000

test.skipIf(databaseKind === 'external')(
  'an idle server sends at most 15 statements a minute to its embedded database',
  async () => {
    await using folder = await createTestFolder()
    const file = join(folder.dataFolder, 'statements')
    await using _server = await startServer({
      dataFolder: folder.dataFolder,
      preload: COUNTER,
      env: { COUNT_STATEMENTS_IN: file },
    })
    const count = async () => Number(await readFile(file, 'utf8'))
    let [before, since] = [0, performance.now()]
    const isAtRest = async () => {
      const now = await count()
      if (now !== before) [before, since] = [now, performance.now()]
      return performance.now() - since > 2000
    }
    await until(isAtRest, { what: 'the start to be over' })
    const began = performance.now()
    await until(() => performance.now() - began > MINUTE_MS, { timeoutMs: 2 * MINUTE_MS, what: 'a minute' })
    const sent = (await count()) - before
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThanOrEqual(MAX_STATEMENTS)
  },
  200_000,
)
