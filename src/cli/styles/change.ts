import type { Given } from '../command.ts'
import { quantity } from '../items.ts'
import { confirm } from '../terminal/confirm.ts'
import { each } from '../terminal/each.ts'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import { fieldsText } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'
import { findStyle, styleFields, type WireStyle } from './styles.ts'

type NewStyle = {
  description?: string
  tone?: string
  instructions?: string
  app?: string[]
  category?: string[]
  url?: string[]
  language?: string
  rule?: string[]
  priority?: string
}

export async function addStyleCommand(
  { server, report }: Tools,
  { args, options }: Given<NewStyle>,
): Promise<number> {
  const { app: apps, category: app_categories, url: url_patterns, rule, priority, ...texts } = options
  const json = {
    ...{ name: args[0], ...texts, apps, app_categories, url_patterns },
    ...(rule && { rules: Object.fromEntries(rule.map(ruleOf)) }),
    ...(priority !== undefined && { priority: asNumber(priority) }),
  }
  const style = await server.request<WireStyle>('POST', '/writing-styles', { json })
  report.answer(style, () => fieldsText(styleFields(style)))
  return EXIT.done
}

/** The server checks names and values. */
function ruleOf(text: string): [name: string, value: unknown] {
  const [, name, value] = /^(\w+)=(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(`--rule must be a name and a value, such as numbers=digits, not ${text}.`)
  return [name, value === 'true' ? true : value === 'false' ? false : value]
}

/** The server rejects anything but a number, and names the field. */
const asNumber = (text: string): number | string => (/^-?\d+$/.test(text) ? Number(text) : text)

export async function removeStylesCommand(
  tools: Tools,
  { args, options }: Given<{ yes?: boolean }>,
): Promise<number> {
  const styles: WireStyle[] = []
  for (const name of args) styles.push(await findStyle(tools.server, name))
  if (!(await confirm(`Delete ${styles.map(({ name }) => `"${name}"`).join(', ')}?`, options.yes === true)))
    return EXIT.failed
  const ids = [...new Set(styles.map(({ id }) => id))]
  return each(tools, ids, {
    act: (id) => tools.server.request('DELETE', `/writing-styles/${id}`),
    done: (count) => `Deleted ${quantity(count, 'writing style')}.`,
  })
}
