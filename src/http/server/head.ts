/** HEAD runs as GET, without the body in the response: Elysia's own HEAD reports a Content-Length of 0. */
export function asGet(request: Request): Request {
  const get = new Request(request, { method: 'GET' })
  // Range is only defined for GET (RFC 9110, section 14.2).
  get.headers.delete('range')
  return get
}

export async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response
  // An event stream has no end to wait for.
  const isEndless = headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isEndless || headers.has('content-length')) await response.body?.cancel()
  else headers.set('content-length', String((await response.blob()).size))
  return new Response(null, { status, headers })
}
