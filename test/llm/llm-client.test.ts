// Tests against a real HTTP server that behaves well and badly.

import { describe, expect, test } from 'bun:test'
import type { LlmRequest } from '../../src/llm/llm.ts'
import { createLlmClient } from '../../src/llm/llm-client.ts'
import { until } from '../support/until.ts'
import { completion, endless, silence, startModelServer } from './model-server.ts'

const client = createLlmClient({ readKey: (name) => (name === 'DICTATION_NOT_SET' ? undefined : 'secret') })

function requestTo(baseUrl: string, more: Partial<LlmRequest> = {}): LlmRequest {
  return {
    address: { baseUrl, apiKeyEnv: null },
    model: 'some-model',
    messages: [{ role: 'user', content: 'hello' }],
    maxTokens: 100,
    timeoutMs: 5000,
    signal: new AbortController().signal,
    ...more,
  }
}

describe('a request', () => {
  test('sends the messages, the model and the limit, and returns the text', async () => {
    await using server = startModelServer(() => completion('Hello.'))
    const answer = await client.complete(requestTo(server.baseUrl))
    expect(answer).toEqual({ ok: true, value: { text: 'Hello.', model: 'played-model' } })
    expect<unknown>(server.requests).toEqual([
      {
        path: '/v1/chat/completions',
        authorization: null,
        body: {
          model: 'some-model',
          messages: [{ role: 'user', content: 'hello' }],
          max_tokens: 100,
          temperature: 0.2,
          stream: false,
        },
      },
    ])
  })

  test('ignores a trailing slash of the URL', async () => {
    await using server = startModelServer(() => completion('Hello.'))
    expect((await client.complete(requestTo(`${server.baseUrl}/`))).ok).toBe(true)
    expect(server.requests[0]?.path).toBe('/v1/chat/completions')
  })

  test('sends the key from the named variable', async () => {
    await using server = startModelServer(() => completion('Hello.'))
    const address = { baseUrl: server.baseUrl, apiKeyEnv: 'DICTATION_LLM_KEY' }
    await client.complete(requestTo(server.baseUrl, { address }))
    expect(server.requests[0]?.authorization).toBe('Bearer secret')
  })

  test('uses the first listed model if none is named', async () => {
    await using server = startModelServer(({ path }) =>
      path === '/v1/models'
        ? Response.json({ data: [{ id: 'listed-first' }, { id: 'second' }] })
        : completion('Hello.'),
    )
    await client.complete(requestTo(server.baseUrl, { model: null }))
    expect(server.requests[1]?.body?.model).toBe('listed-first')
  })

  const bad = [
    'm'.repeat(201),
    'm'.repeat(1_000_000),
    'a\0b',
    'a\nb',
    '\ud800',
    '',
    7,
    null,
    ['m'],
    { id: 'm' },
  ]
  test('skips model names that are too long or cannot be stored', async () => {
    for (const name of bad) {
      await using server = startModelServer(({ path }) =>
        path === '/v1/models'
          ? Response.json({ data: [{ id: name }, { id: 'm'.repeat(200) }] })
          : Response.json({ model: name, choices: [{ message: { content: 'Hello.' } }] }),
      )
      const answer = await client.complete(requestTo(server.baseUrl, { model: null }))
      expect(answer, String(name).slice(0, 20)).toEqual({
        ok: true,
        value: { text: 'Hello.', model: 'm'.repeat(200) },
      })
      await using only = startModelServer(() => Response.json({ data: [{ id: name }] }))
      const none = await client.complete(requestTo(only.baseUrl, { model: null }))
      expect(none).toMatchObject({ ok: false, failure: { code: 'llm_no_model' } })
    }
  })

  test('removes reasoning output', async () => {
    for (const content of [
      '<think>\nhm\n</think>\n\nHello.',
      'hm\n</think>Hello.',
      '<thinking>a</thinking>Hello.',
      `${'</think>'.repeat(100_000)}Hello.`,
    ]) {
      await using server = startModelServer(() => completion(content))
      const answer = await client.complete(requestTo(server.baseUrl))
      expect(answer.ok && answer.value.text.trim()).toBe('Hello.')
    }
  })
})

describe('failures have a code', () => {
  const html = () => new Response('<html>nothing here</html>', { headers: { 'content-type': 'text/html' } })
  const bad: [what: string, answer: Parameters<typeof startModelServer>[0], code: string][] = [
    ['status 500', () => new Response('broken', { status: 500 }), 'llm_http_error'],
    [
      'status 404',
      () => Response.json({ error: { message: 'no such model' } }, { status: 404 }),
      'llm_http_error',
    ],
    ['a rejected key', () => new Response(null, { status: 401 }), 'llm_unauthorized'],
    ['a redirect', () => Response.redirect('http://127.0.0.1:9/elsewhere', 307), 'llm_http_error'],
    ['broken JSON', () => new Response('{"choices": [{"message"'), 'llm_malformed'],
    ['a web page', html, 'llm_malformed'],
    ['JSON of a different shape', () => Response.json({ response: 'Hello.' }), 'llm_malformed'],
    ['no choices', () => Response.json({ choices: [] }), 'llm_malformed'],
    ['bytes that are not UTF-8', () => new Response(new Uint8Array([0x7b, 0xff, 0xfe])), 'llm_malformed'],
    ['a truncated output', () => completion('Hel', { finish_reason: 'length' }), 'llm_cut_off'],
    ['endless reasoning', () => completion('<think>well, let me see'), 'llm_cut_off'],
    ['a filter', () => completion('', { finish_reason: 'content_filter' }), 'llm_withheld'],
    ['a refusal', () => completion(null, {}, { refusal: 'I will not.' }), 'llm_withheld'],
    ['an empty output', () => completion(''), 'llm_empty'],
    ['null', () => completion(null), 'llm_empty'],
    ['white space', () => completion(' \n '), 'llm_empty'],
  ]

  test.each(bad)('%s', async (_what, play, code) => {
    await using server = startModelServer(play)
    const answer = await client.complete(requestTo(server.baseUrl))
    expect(answer).toMatchObject({ ok: false, failure: { code } })
    expect(server.requests.length).toBe(1)
  })

  test('a server that lists no model', async () => {
    await using server = startModelServer(() => Response.json({ data: [] }))
    const answer = await client.complete(requestTo(server.baseUrl, { model: null }))
    expect(answer).toMatchObject({ ok: false, failure: { code: 'llm_no_model' } })
  })

  test('an unreachable server', async () => {
    const gone = startModelServer(() => completion('Hello.'))
    await gone[Symbol.asyncDispose]()
    const answer = await client.complete(requestTo(gone.baseUrl))
    expect(answer).toMatchObject({ ok: false, failure: { code: 'llm_unreachable' } })
  })

  test('a variable that is not set, before any request', async () => {
    await using server = startModelServer(() => completion('Hello.'))
    const address = { baseUrl: server.baseUrl, apiKeyEnv: 'DICTATION_NOT_SET' }
    const answer = await client.complete(requestTo(server.baseUrl, { address }))
    expect(answer).toMatchObject({ ok: false, failure: { code: 'llm_key_missing' } })
    expect(server.requests).toEqual([])
  })

  test.each(['AWS_SECRET_ACCESS_KEY', 'dictation_llm_key', 'DICTATION_TOKEN', 'DICTATION_token'])(
    'the variable %p, which must not be sent',
    async (apiKeyEnv) => {
      await using server = startModelServer(() => completion('Hello.'))
      const answer = await client.complete(
        requestTo(server.baseUrl, { address: { baseUrl: server.baseUrl, apiKeyEnv } }),
      )
      expect(answer).toMatchObject({ ok: false, failure: { code: 'llm_key_refused' } })
      expect(answer.ok ? '' : answer.failure.message).toContain('llm_api_key_env')
      expect(server.requests).toEqual([])
    },
  )

  test.each(['', 'localhost', 'file:///etc/passwd', 'ftp://127.0.0.1/v1'])('the URL %p', async (baseUrl) => {
    const answer = await client.complete(requestTo(baseUrl))
    expect(answer).toMatchObject({ ok: false, failure: { code: 'llm_bad_address' } })
  })
})

describe('limits', () => {
  test('closes the connection on an endless response', async () => {
    await using server = startModelServer(endless)
    const answer = await client.complete(requestTo(server.baseUrl, { timeoutMs: 60_000 }))
    expect(answer).toMatchObject({ ok: false, failure: { code: 'llm_too_large' } })
    await until(() => server.left() === 1, { what: 'the connection to be closed' })
  })

  test('closes the connection on a timeout', async () => {
    await using server = startModelServer(silence)
    const answer = await client.complete(requestTo(server.baseUrl, { timeoutMs: 50 }))
    expect(answer).toMatchObject({ ok: false, failure: { code: 'llm_timeout' } })
    await until(() => server.left() === 1, { what: 'the connection to be closed' })
  })

  test('times out if a response stalls', async () => {
    const half = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"choices"')),
    })
    await using server = startModelServer(() => new Response(half))
    const answer = await client.complete(requestTo(server.baseUrl, { timeoutMs: 100 }))
    expect(answer).toMatchObject({ ok: false, failure: { code: 'llm_timeout' } })
  })

  test('a cancel ends the request at once', async () => {
    await using server = startModelServer(silence)
    const cancel = new AbortController()
    const answer = client.complete(requestTo(server.baseUrl, { signal: cancel.signal, timeoutMs: 60_000 }))
    await until(() => server.requests.length === 1)
    cancel.abort()
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'llm_canceled' } })
    await until(() => server.left() === 1, { what: 'the connection to be closed' })
  })

  test('sends no request if cancelled before', async () => {
    await using server = startModelServer(() => completion('Hello.'))
    const answer = await client.complete(requestTo(server.baseUrl, { signal: AbortSignal.abort() }))
    expect(answer).toMatchObject({ ok: false, failure: { code: 'llm_canceled' } })
    expect(server.requests).toEqual([])
  })
})
