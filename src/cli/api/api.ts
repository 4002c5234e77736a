// dictation api: any request of the API, with the address and the token of the other commands.

import { isUtf8 } from 'node:buffer'
import { basename, resolve } from 'node:path'
import type { Given } from '../command.ts'
import { failureOf, type ServerRequest } from '../connection/server-client.ts'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'

type Options = { data?: string; field?: string[]; type?: string }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']

export async function callApi({ server, report }: Tools, { args, options }: Given<Options>): Promise<number> {
  const [given = '', path = ''] = args
  const method = given.toUpperCase()
  if (!METHODS.includes(method))
    throw new UsageError(`METHOD must be one of ${METHODS.join(', ')}, not ${given}.`)
  if (!path.startsWith('/'))
    throw new UsageError(`PATH must start with /, such as /captures?limit=3, not ${path}.`)
  if (options.data !== undefined && options.field !== undefined)
    throw new UsageError('--data and --field cannot be combined.')
  if (options.type !== undefined && options.data === undefined)
    throw new UsageError('--type needs a body: --data.')
  const response = await server.send(method, path, await bodyOf(options))
  if (!response.ok) throw await failureOf(response)
  for await (const chunk of response.body ?? []) report.result(chunk)
  return EXIT.done
}

async function bodyOf({ data, field, type }: Options): Promise<ServerRequest> {
  if (field !== undefined) {
    const form = new FormData()
    for (const one of field) await appendField(form, one)
    return { body: () => form }
  }
  if (data === undefined) return {}
  const bytes = await bytesOf(data)
  return { body: () => bytes, type: type ?? typeOf(bytes) }
}

/** As curl does: `name=value`, or `name=@file`. */
async function appendField(form: FormData, given: string): Promise<void> {
  const [, name, isFile, value] = /^([^=]+)=(@?)(.*)$/s.exec(given) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(`--field must be name=value or name=@file, not ${given}.`)
  if (isFile === '') return form.append(name, value)
  const file = Bun.file(resolve(value))
  if (!(await file.exists())) throw new UsageError(`There is no file ${value}.`, null, EXIT.notFound)
  form.append(name, file, basename(value))
}

/** Those of the text itself, of `@file`, or of standard input for -. */
async function bytesOf(data: string): Promise<Uint8Array<ArrayBuffer>> {
  if (data === '-') return Bun.stdin.bytes()
  if (!data.startsWith('@')) return new TextEncoder().encode(data)
  const file = Bun.file(resolve(data.slice(1)))
  return file.bytes().catch(() => {
    throw new UsageError(`There is no file ${data.slice(1)}, or it cannot be read.`, null, EXIT.notFound)
  })
}

function typeOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) return 'application/octet-stream'
  try {
    JSON.parse(new TextDecoder().decode(bytes))
    return 'application/json'
  } catch {
    return 'text/plain'
  }
}
