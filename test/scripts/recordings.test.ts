// How a folder of recordings is walked over while somebody works in it.

import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordingsIn } from '../../scripts/client/recordings.ts'

test('recordings and folders that go away during the walk are passed over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-walk-'))
  try {
    for (const name of ['b', 'd']) await mkdir(join(folder, name))
    for (const name of ['a.wav', 'b/in.wav', 'c.wav', 'd/in.wav', 'e.wav'])
      await writeFile(join(folder, name), 'x')
    const walk = recordingsIn(folder)
    const found = [(await walk.next()).value?.path]
    await rm(join(folder, 'b'), { recursive: true })
    await rm(join(folder, 'c.wav'))
    for await (const { path } of walk) found.push(path)
    expect(found).toEqual(['a.wav', 'd/in.wav', 'e.wav'].map((name) => join(folder, name)))
    await rm(folder, { recursive: true })
    expect(await Array.fromAsync(recordingsIn(folder))).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
