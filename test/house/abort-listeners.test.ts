// A listener on an abort signal must be removed when its work ends: a combined signal (AbortSignal.any) lives, with
// everything its listener references, as long as its longest source, which is often the server's stop signal.

import { expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'

const root = resolve(import.meta.dir, '../..')

/** Files whose signal exists only for the listener. */
const OWN_SIGNAL = ['db/embedded-thread.ts', 'db/embedded.ts', 'src/database-supervisor.ts']

test('every abort listener is removed', async () => {
  const files = await Array.fromAsync(new Glob('{src,db}/**/*.ts').scan({ cwd: root }))
  const leaking: string[] = []
  for (const file of files) {
    const text = await Bun.file(join(root, file)).text()
    const listening = text.match(/addEventListener\('abort'.*/g) ?? []
    const isRemoved = listening.every((line) => / signal: /.test(line))
    if (!isRemoved && !text.includes("removeEventListener('abort'")) leaking.push(file)
  }
  expect(leaking.sort()).toEqual(OWN_SIGNAL)
})
