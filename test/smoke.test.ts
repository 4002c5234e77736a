// The first steps of a newcomer, as in README: start the server, transcribe the sample, and stop. The only test of a
// whole server in `npm test`; the others are in `npm run check`.

import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { startServer } from './support/server.ts'

const project = resolve(import.meta.dir, '..')

test('transcribes the sample by the command of README, and a capture of it', async () => {
  const readme = await Bun.file(resolve(project, 'README.md')).text()
  const [, fields, path] = readme.match(/^curl (-F file=@test\S+ .*) http:\/\/127\.0\.0\.1:17493(\S+)$/m)!
  const text = readme.match(/^> (And so my fellow Americans.*)$/m)![1]!
  await using server = await startServer({ env: { DICTATION_MODEL: '' } })
  const transcribed = await fetch(`${server.url}${path}`, { method: 'POST', body: formOf(fields!) })
  expect((await transcribed.text()).trim()).toBe(text)

  const body = formOf('-F file=@test/speech/human-1.flac')
  const created = await fetch(`${server.url}/captures?wait=true`, { method: 'POST', body })
  expect(created.status).toBe(201)
  expect(await created.json()).toMatchObject({ status: 'completed', transcript_raw: text })
  expect(await server.stop()).toBe(0)
})

/** What curl sends for its options `-F name=value` and `-F name=@file`; a machine may have no curl. */
function formOf(options: string): FormData {
  const form = new FormData()
  for (const [, name, at, value] of options.matchAll(/-F (\w+)=(@?)(\S+)/g))
    form.append(name!, at === '' ? value! : Bun.file(resolve(project, value!)))
  return form
}
