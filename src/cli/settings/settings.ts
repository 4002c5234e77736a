import type { TSchema } from '@sinclair/typebox'
import { wireName } from '../../lib/schema-mapping.ts'
import type { Warning } from '../../lib/warning.ts'
import { SettingsSchema } from '../../settings/settings.ts'
import type { Given } from '../command.ts'
import type { ServerClient } from '../connection/server-client.ts'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import type { Report } from '../terminal/report.ts'
import { rowsText } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'

type WireSettings = Record<string, unknown> & { warnings: Warning[] }

const PATH = '/settings/captures'

const all = (server: ServerClient) => server.request<WireSettings>('GET', PATH)

export async function getSettingsCommand({ server, report }: Tools, { args }: Given): Promise<number> {
  const { warnings, ...settings } = await all(server)
  const [name] = args
  if (name === undefined) {
    const rows = () => Object.entries(settings).map(([key, value]) => [key, textOf(value)])
    report.answer({ ...settings, warnings }, () => rowsText(rows()))
    tell(report, warnings)
    return EXIT.done
  }
  if (!Object.hasOwn(settings, name)) throw unknownSetting(name)
  report.answer({ [name]: settings[name] }, () => textOf(settings[name]))
  return EXIT.done
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export async function setSettingCommand(
  { server, report }: Tools,
  { args, options }: Given<{ 'confirm-removal'?: boolean }>,
): Promise<number> {
  const [name, text] = args as [string, string]
  const json = {
    [name]: meantBy(name, text),
    ...(options['confirm-removal'] && { confirm_removal: true }),
  }
  const { warnings, ...settings } = await server.request<WireSettings>('PATCH', PATH, { json })
  if (!Object.hasOwn(settings, name)) throw unknownSetting(name)
  report.answer({ [name]: settings[name], warnings }, () => `${name}  ${textOf(settings[name])}`)
  tell(report, warnings)
  return EXIT.done
}

const unknownSetting = (name: string) =>
  new UsageError(`There is no setting ${name}.`, '"dictation settings get" lists them.')

const tell = (report: Report, warnings: Warning[]) => {
  for (const { message } of warnings) report.note(message)
}

const SCHEMAS = new Map<string, TSchema>(
  Object.entries(SettingsSchema.properties).map(([name, schema]) => [wireName(name), schema]),
)

/** The JSON value that a text means; the server checks it, and names the setting if it is wrong. */
function meantBy(name: string, text: string): unknown {
  const schema = SCHEMAS.get(name)
  const branches: TSchema[] = (schema?.anyOf as TSchema[] | undefined) ?? (schema ? [schema] : [])
  const accepts = (type: string) => branches.some((branch) => branch.type === type)
  if (text === 'null' && accepts('null')) return null
  if (accepts('boolean')) return BOOLEANS[text.toLowerCase()] ?? text
  if (accepts('number') || accepts('integer')) return text.trim() === '' ? text : numberOr(text)
  if (accepts('array')) return text === '' ? [] : text.split(',').map((part) => part.trim())
  return text
}

const BOOLEANS: Record<string, boolean> = {
  true: true,
  on: true,
  yes: true,
  false: false,
  off: false,
  no: false,
}

const numberOr = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text)
