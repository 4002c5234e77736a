// dictation models ls, rm, import, use.

import { resolve } from 'node:path'
import type { WireModel } from '../../http/models/schema.ts'
import type { WireHealth } from '../../http/service/health.ts'
import type { Given } from '../command.ts'
import { pathsAt } from '../files/paths.ts'
import { formOf } from '../files/recordings.ts'
import { confirm } from '../terminal/confirm.ts'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import { type Cell, rowsText } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'

type Installed = WireModel & { used: boolean }

export async function listModels({ server, report }: Tools): Promise<number> {
  const [{ models }, health] = await Promise.all([
    server.request<{ models: WireModel[] }>('GET', '/models/status'),
    server.request<WireHealth>('GET', '/health'),
  ])
  const used = health.default_model.model_name
  const installed = models
    .filter(({ downloaded, alias_of }) => downloaded && alias_of === null)
    .map((model) => ({ ...model, used: model.model_name === used }))
  report.answer({ models: installed }, () => rowsText(installed.map(rowOf)))
  return EXIT.done
}

function rowOf({ model_name, size_mb, display_name, used, loaded, bundled }: Installed): Cell[] {
  const notes = [used && 'in use', loaded && 'loaded', bundled && 'bundled'].filter(Boolean).join(', ')
  return [model_name, sizeCell(size_mb), display_name, notes]
}

/** In megabytes. */
export const sizeCell = (mb: number | null): Cell => ({
  shown: `${mb ?? '?'} MB`.padStart(7),
  piped: String(mb ?? ''),
})

type Message = { message: string; model_name: string }

export async function removeModel(
  { server, report }: Tools,
  { args, options }: Given<{ yes?: boolean }>,
): Promise<number> {
  const [name] = args
  if (!(await confirm(`Delete the file of ${name}?`, options.yes === true))) return EXIT.failed
  const answer = await server.request<Message>('DELETE', `/models/${encodeURIComponent(name!)}`)
  report.answer(answer, () => answer.message)
  return EXIT.done
}

export async function importModel(
  { server, report }: Tools,
  { args, options }: Given<{ name?: string }>,
): Promise<number> {
  const [path] = await pathsAt([resolve(args[0]!)])
  const form = formOf(path!, options.name === undefined ? {} : { name: options.name })
  const answer = await server.request<Message>('POST', '/models/import', form)
  report.answer(answer, () => answer.message)
  return EXIT.done
}

/** What the user types for the best installed model. */
const BEST = 'best'

export async function selectModel({ server, report }: Tools, { args }: Given): Promise<number> {
  const [name] = args
  const { models } = await server.request<{ models: WireModel[] }>('GET', '/models/status')
  const known = models.filter(({ downloaded }) => downloaded).map(({ model_name }) => model_name)
  // The settings accept any published model; one that is not here would not be used.
  if (name !== BEST && models.some(({ model_name, downloaded }) => model_name === name && !downloaded))
    throw new UsageError(
      `${name} is not installed.`,
      `dictation models pull ${name}, or choose one of: ${known.join(', ')}`,
    )
  await server.request('PATCH', '/settings/captures', { json: { stt_model: name === BEST ? null : name } })
  const { default_model } = await server.request<WireHealth>('GET', '/health')
  report.answer(
    { model_name: default_model.model_name },
    () => `New recordings use ${default_model.model_name}.`,
  )
  return EXIT.done
}
