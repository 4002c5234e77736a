// The files of the folder recorded: requests of a client that cannot run in a test, and the response fields that it reads.
// They come from the client's source (`origin`), or from the libraries that it uses.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chunked, type RawAnswer, sendRaw } from './raw-request.ts'

/** A JSON schema, or the name of one in `reads`. */
type Schema = string | Record<string, unknown>

type Part = { head: string[] } & (
  | { text: string }
  /** a file of test/speech/formats */
  | { recording: string }
)

export type RecordedRequest = {
  what: string
  /** settings of the server */
  env?: Record<string, string>
  /** without the HTTP version */
  line: string
  /** in order; `{host}`, `{port}` and `{length}` are replaced */
  headers: string[]
  form?: Part[]
  answer: {
    status: number
    /** substrings of the values */
    headers?: Record<string, string>
    json?: Schema
    /** of a stream: the schema of each event's data, and a pattern of the concatenated deltas */
    events?: { each: Schema; deltas: string }
  }
}

export type RecordedClient = {
  client: string
  origin: { repository: string; path: string; commit?: string; made: string }
  reads?: Record<string, Record<string, unknown>>
  requests: RecordedRequest[]
}

const formats = join(import.meta.dir, '../speech/formats')

export async function replay(url: string, request: RecordedRequest): Promise<RawAnswer> {
  const body = request.form === undefined ? Buffer.alloc(0) : await formOf(request, request.form)
  const { host, port } = new URL(url)
  const known: Record<string, string> = { host, port, length: `${body.length}` }
  const headers = request.headers.map((line) =>
    line.replace(/\{(\w+)\}/g, (whole, name) => known[name] ?? whole),
  )
  const inChunks = headers.some((line) => /^transfer-encoding: chunked$/i.test(line))
  const head = [`${request.line} HTTP/1.1`, ...headers]
  return sendRaw(url, head, inChunks ? chunked(body, 10_000) : body)
}

async function formOf({ headers }: RecordedRequest, parts: readonly Part[]): Promise<Buffer> {
  const [, boundary] = /boundary=(\S+)$/m.exec(headers.join('\n')) ?? []
  const pieces: (string | Uint8Array)[] = []
  for (const part of parts) {
    pieces.push(`--${boundary}\r\n${part.head.join('\r\n')}\r\n\r\n`)
    pieces.push('text' in part ? part.text : await readFile(join(formats, part.recording)), '\r\n')
  }
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string)))
}
