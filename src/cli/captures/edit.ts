import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Given } from '../command.ts'
import { failureOf, ServerFailure } from '../connection/server-client.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'
import { pipedText } from '../terminal/given-text.ts'
import type { Tools } from '../tools.ts'
import { captureId, type WireCaptureDetail } from './find.ts'

type Change = { transcript_refined?: string; title?: string; add_tags?: string[]; remove_tags?: string[] }

export async function editCommand(
  tools: Tools,
  { args, options }: Given<{ text?: string; title?: string; tag?: string[]; untag?: string[] }>,
): Promise<number> {
  const { server, report } = tools
  const { text, title, tag, untag } = options
  const id = await captureId(server, args[0]!)
  if ([text, title, tag, untag].every((value) => value === undefined)) return editInEditor(tools, id)
  const changed = await change(tools, id, {
    ...(text !== undefined && { transcript_refined: text === '-' ? await pipedText() : text }),
    ...(title !== undefined && { title }),
    ...(tag !== undefined && { add_tags: tag }),
    ...(untag !== undefined && { remove_tags: untag }),
  })
  report.answer(changed, () => changed.text)
  return EXIT.done
}

async function editInEditor(tools: Tools, id: string): Promise<number> {
  const { server, report, env } = tools
  const editor = env.VISUAL || env.EDITOR
  if (!editor)
    throw new UsageError(
      'No editor is set.',
      'Set EDITOR to the name of your editor, or give the text with --text.',
    )
  const response = await server.send('GET', `/captures/${id}`)
  if (!response.ok) throw await failureOf(response)
  const before = (await response.json()) as WireCaptureDetail
  const folder = await mkdtemp(join(tmpdir(), 'dictation-edit-'))
  const file = join(folder, 'capture.txt')
  await writeFile(file, `${before.text}\n`, { mode: 0o600 })
  // As git does: the value may contain options, and it is the user's own.
  const command =
    process.platform === 'win32'
      ? ['cmd', '/d', '/s', '/c', `${editor} "${file}"`]
      : ['/bin/sh', '-c', `${editor} "$1"`, 'sh', file]
  const child = Bun.spawn(command, {
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  const code = await child.exited
  const text = (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  if (code !== 0 || text === before.text) {
    await rm(folder, { recursive: true })
    if (code !== 0)
      throw new CommandFailure(`The editor ended with ${code}; nothing was changed.`, {
        code: 'editor_failed',
      })
    report.note('The text is unchanged.')
    return EXIT.done
  }
  const etag = response.headers.get('etag')
  const changed = await change(tools, id, { transcript_refined: text }, etag).catch((error) => {
    if (!(error instanceof ServerFailure)) throw error
    throw new ServerFailure(error.code, error.message, {
      hint: `Your text is still in ${file}.`,
      cause: error,
    })
  })
  await rm(folder, { recursive: true })
  report.answer(changed, () => changed.text)
  return EXIT.done
}

/** @param etag refuses the change if the capture has another one */
const change = ({ server }: Tools, id: string, json: Change, etag: string | null = null) =>
  server.request<WireCaptureDetail>('PATCH', `/captures/${id}`, {
    json,
    ...(etag !== null && { headers: { 'if-match': etag } }),
  })
