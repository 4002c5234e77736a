// A spoken command on the whole server, with a recording and the engine. Other tests of running commands are in
// commands.test.ts.

import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer } from '../../support/server.ts'
import { formOf } from '../../support/speech.ts'

test('deletes the last sentence on a spoken command, treats other speech as dictation, and stores neither', async () => {
  await using server = await startServer()
  const speak = async (file: string) => {
    const form = await formOf(file, { selected_text: 'It rains. It pours.' })
    const response = await fetch(`${server.url}/commands/run`, { method: 'POST', body: form })
    // biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
    return (await response.json()) as any
  }
  const deleted = await speak('short-16.flac')
  expect(deleted.transcript).toMatch(/delete the last sentence/i)
  expect(deleted).toMatchObject({
    ...{ status: 'succeeded', output: 'It rains.', changed: true, used_llm: false },
    command: { id: null, name: 'delete last' },
  })
  const dictated = await speak('short-20.flac')
  expect(dictated.transcript).toMatch(/window/i)
  expect(dictated).toMatchObject({ status: 'unsupported', output: 'It rains. It pours.', changed: false })
  expect(await readdir(join(server.dataFolder, 'inbox'))).toEqual([])
  const captures = (await (await fetch(`${server.url}/captures`)).json()) as { total: number }
  expect(captures.total).toBe(0)
}, 240_000)
