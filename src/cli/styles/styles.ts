import type { Static } from '@sinclair/typebox'
import type { WritingStyleSchema } from '../../http/writing-styles/schema.ts'
import type { Given } from '../command.ts'
import type { ServerClient } from '../connection/server-client.ts'
import { answerItems, findItem, firstItems } from '../items.ts'
import { EXIT } from '../terminal/exit.ts'
import { type Cell, fieldsText, idCell } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'

export type WireStyle = Static<typeof WritingStyleSchema>

const STYLES = {
  path: '/writing-styles',
  noun: 'writing style',
  code: 'writing_style_not_found',
  lists: 'dictation styles ls',
  isNamed: ({ name }: WireStyle, wanted: string) => name.toLowerCase() === wanted.toLowerCase(),
}

/** By name, id, or the last characters of the id. @throws CommandFailure */
export const findStyle = (server: ServerClient, name: string): Promise<WireStyle> =>
  findItem(server, STYLES, name)

export async function listStylesCommand(tools: Tools): Promise<number> {
  const found = await firstItems<WireStyle>(tools.server, '/writing-styles')
  return answerItems(tools, found, { rowOf, none: 'There are no writing styles.' })
}

const rowOf = (style: WireStyle): Cell[] => [
  idCell(style.id),
  style.name,
  style.tone,
  { shown: style.is_default ? '★' : '', piped: style.is_default ? 'default' : '' },
  { shown: style.enabled ? '' : 'off', piped: style.enabled ? 'enabled' : 'disabled' },
  placesOf(style).join(', '),
]

const placesOf = (style: WireStyle): string[] => [
  ...style.apps,
  ...style.app_categories,
  ...style.url_patterns,
]

export async function showStyleCommand({ server, report }: Tools, { args }: Given): Promise<number> {
  const style = await findStyle(server, args[0]!)
  report.answer(style, () => fieldsText(styleFields(style)))
  return EXIT.done
}

export const styleFields = (style: WireStyle): [string, string | null][] => [
  ['id', style.id],
  ['name', style.name],
  ['description', style.description],
  ['kind', style.kind],
  ['tone', style.tone],
  ['instructions', style.instructions],
  ...Object.entries(style.rules).map(([rule, value]): [string, string] => [rule, String(value)]),
  ['applications', style.apps.join(', ')],
  ['categories', style.app_categories.join(', ')],
  ['web pages', style.url_patterns.join(', ')],
  ['language', style.language],
  ['default', style.is_default ? 'yes' : 'no'],
  ['enabled', style.enabled ? 'yes' : 'no'],
  ['priority', String(style.priority)],
  ['uses', String(style.usage_count)],
]
