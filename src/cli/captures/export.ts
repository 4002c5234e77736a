import { mkdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Given } from '../command.ts'
import { failureOf } from '../connection/server-client.ts'
import { writeNew } from '../files/write-new.ts'
import { quantity } from '../items.ts'
import { each } from '../terminal/each.ts'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'
import { captureIds } from './find.ts'

type Options = {
  format?: 'txt' | 'md' | 'docx' | 'srt' | 'vtt' | 'json'
  text?: 'raw' | 'refined'
  'output-dir'?: string
  audio?: boolean
  force?: boolean
}

export async function exportCommand(tools: Tools, { args, options }: Given<Options>): Promise<number> {
  const { server, report, isJson } = tools
  const { 'output-dir': folder, audio = false, force = false } = options
  if (folder === undefined && (args.length > 1 || audio))
    throw new UsageError(`${audio ? '--audio' : 'More than one capture'} needs --output-dir.`)
  if (folder === undefined && options.format === 'docx')
    throw new UsageError('--format docx needs --output-dir.')
  const query = new URLSearchParams({
    format: options.format ?? (isJson && folder === undefined ? 'json' : 'txt'),
    ...(options.text !== undefined && { text: options.text }),
  })
  const ids = await captureIds(server, args)
  if (folder === undefined) {
    const text = await (await download(tools, `/captures/${ids[0]}/export?${query}`)).text()
    report.result(text.endsWith('\n') ? text : `${text}\n`)
    return EXIT.done
  }
  await mkdir(folder, { recursive: true })
  const taken = new Set<string>()
  return each(tools, ids, {
    act: async (id) => {
      const text = await download(tools, `/captures/${id}/export?${query}`)
      const name = freeName(fileNameOf(text) ?? `${id}.${query.get('format')}`, id, taken)
      const files = [join(folder, name)]
      await writeNew(files[0]!, text, { isReplaced: force })
      if (audio) {
        const recording = await download(tools, `/captures/${id}/audio`)
        const ending = extname(fileNameOf(recording) ?? '')
        files.push(join(folder, `${name.slice(0, -extname(name).length)}${ending}`))
        await writeNew(files[1]!, recording, { isReplaced: force })
      }
      if (!isJson) report.result(files.map((file) => `${file}\n`).join(''))
      return { id, files }
    },
    done: (count) => `Exported ${quantity(count, 'capture')}.`,
  })
}

async function download({ server }: Tools, path: string): Promise<Response> {
  const response = await server.send('GET', path)
  if (!response.ok) throw await failureOf(response)
  return response
}

/** The name in `Content-Disposition`, without folders. */
function fileNameOf({ headers }: Response): string | null {
  const disposition = headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const name =
    encoded === undefined ? /filename="?([^";]+)/i.exec(disposition)?.[1] : decodeURIComponent(encoded)
  return name?.replace(/[/\\]/g, '_') || null
}

/** Captures with the same title get the ends of their ids. File systems may ignore case. */
function freeName(name: string, id: string, taken: Set<string>): string {
  const ending = extname(name)
  const free = taken.has(name.toLowerCase())
    ? `${name.slice(0, -ending.length)} ${id.slice(-8)}${ending}`
    : name
  taken.add(free.toLowerCase())
  return free
}
