// The whole server with a language model; the settings reach it, and dictated text goes nowhere else. Language model and proxy
// are real servers.

import { expect, test } from 'bun:test'
import { BUILTIN_STYLES } from '../../../src/writing/builtin-styles.ts'
import { completion, dictated, startModelServer } from '../../llm/model-server.ts'
import { startServer } from '../../support/server.ts'

test('sends a text only to the language model in the settings, bypassing every proxy', async () => {
  await using model = startModelServer((request) =>
    request.path === '/v1/models'
      ? Response.json({ data: [{ id: 'listed' }] })
      : completion(dictated(request).replace(/[.]?$/, '!')),
  )
  const proxied: string[] = []
  const proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      proxied.push(request.url)
      return new Response(null, { status: 502 })
    },
  })
  const server = await startServer({ env: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` } })
  try {
    const send = (method: string, path: string, body: object) =>
      fetch(server.url + path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const changed = await send('PATCH', '/settings/captures', { llm_base_url: model.baseUrl })
    expect(await changed.json()).toMatchObject({ llm_base_url: model.baseUrl })
    const preview = { text: 'um we meet on Friday', language: 'en' }
    const answer = await send('POST', `/writing-styles/${BUILTIN_STYLES[0]!.id}/preview`, preview)
    expect(await answer.json()).toMatchObject({ text: 'We meet on Friday!', used_llm: true })
    expect(model.requests.map(({ path, body }) => [path, body?.model])).toEqual([
      ['/v1/models', undefined],
      ['/v1/chat/completions', 'listed'],
    ])
    expect(proxied).toEqual([])
  } finally {
    await server.stop()
    await proxy.stop(true)
  }
})
