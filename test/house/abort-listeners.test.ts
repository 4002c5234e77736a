// Who listens to an abort signal and is done first takes the listener away: a signal made of others (AbortSignal.any)
// lives, with all that its listener leads to, as long as the longest of them, and most have the stop's own among them.

import { expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'

const root = resolve(import.meta.dir, '../..')

/** The signal is made for the listener, and ends with it. */
const OF_ITS_OWN = ['db/embedded-thread.ts', 'db/embedded.ts', 'src/index-keeper.ts']

test('no file listens to an abort signal without taking its listener away', async () => {
  const files = await Array.fromAsync(new Glob('{src,db}/**/*.ts').scan({ cwd: root }))
  const keeping: string[] = []
  for (const file of files) {
    const text = await Bun.file(join(root, file)).text()
    const listening = text.match(/addEventListener\('abort'.*/g) ?? []
    const isForgotten = listening.every((line) => / signal: /.test(line))
    if (!isForgotten && !text.includes("removeEventListener('abort'")) keeping.push(file)
  }
  expect(keeping.sort()).toEqual(OF_ITS_OWN)
})
