// What HEAD is asked as, and what is left of the answer.
// Headers that every answer carries are headers.ts.

/** HEAD is answered as GET would be, less the body: Elysia's own HEAD puts the length of nothing in its place. */
export function asGet(request: Request): Request {
  const get = new Request(request, { method: 'GET' })
  // A range is defined for GET alone (RFC 9110, section 14.2).
  get.headers.delete('range')
  return get
}

export async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response
  // A stream of events has no end to be waited for.
  const isEndless = headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isEndless || headers.has('content-length')) await response.body?.cancel()
  else headers.set('content-length', String((await response.blob()).size))
  return new Response(null, { status, headers })
}
