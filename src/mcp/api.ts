// The server's HTTP API as the tools call it: over a socket from the command's process, or in the server's own process.

export type ApiRequest = {
  json?: unknown
  /** created again for each attempt */
  body?: () => BodyInit
  type?: string
  signal?: AbortSignal
}

export type Api = {
  /** The JSON of the response. @throws an error with the server's `code` */
  request<T>(method: string, path: string, request?: ApiRequest): Promise<T>
  /** Server-sent events, as they arrive. @throws an error with the server's `code` */
  events(
    method: string,
    path: string,
    request?: ApiRequest,
  ): AsyncIterable<{ event?: string | undefined; data: string }>
}

/** The server refused a request; or a tool refuses its arguments. */
export class ApiFailure extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Appends the values that are not undefined as a query. */
export function withQuery(
  path: string,
  values: Record<string, string | number | boolean | undefined>,
): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
