import { styleText } from 'node:util'
import type { Given } from '../command.ts'
import { answerItems, firstItems } from '../items.ts'
import { momentOption } from '../option-values.ts'
import { UsageError } from '../terminal/failure.ts'
import { duration } from '../terminal/report.ts'
import { type Cell, idCell, momentCell, oneLine } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'
import type { WireFoundCapture } from './find.ts'

type Filters = {
  since?: string
  until?: string
  app?: string
  language?: string
  model?: string
  source?: string
  status?: string
  starred?: boolean
  tag?: string
  trash?: boolean
  limit?: string
}

const SORTS = {
  newest: '-recorded_at',
  oldest: 'recorded_at',
  longest: '-duration_ms',
  shortest: 'duration_ms',
  'most-words': '-word_count',
  'fewest-words': 'word_count',
}

export const listCommand = (
  tools: Tools,
  { options: { sort, ...filters } }: Given<Filters & { sort?: keyof typeof SORTS }>,
): Promise<number> => printFound(tools, filters, sort === undefined ? {} : { sort: SORTS[sort] })

export const searchCommand = (tools: Tools, { args, options }: Given<Filters>): Promise<number> =>
  printFound(tools, options, { q: args.join(' ') })

async function printFound(tools: Tools, options: Filters, wanted: Record<string, string>): Promise<number> {
  const { since, until, starred, trash, limit = '20', ...fields } = options
  const count = numberOption('limit', limit)
  const query = new URLSearchParams({
    ...wanted,
    ...(fields as Record<string, string>),
    ...given('since', momentOption('since', since)),
    ...given('until', momentOption('until', until)),
    ...(starred && { starred: 'true' }),
    ...(trash && { trashed: 'true' }),
  })
  const found = await firstItems<WireFoundCapture>(tools.server, '/captures', { query, count })
  const [shown, total] = [found.items.length, found.total]
  const code = answerItems(tools, found, { rowOf, none: 'No captures match.' })
  if (shown < total && process.stdout.isTTY)
    tools.report.note(`${shown} of ${total} captures; --limit ${total} shows all.`)
  return code
}

const given = (name: string, value: string | undefined): Record<string, string> =>
  value === undefined ? {} : { [name]: value }

export function numberOption(name: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new UsageError(`--${name} must be a number above zero, not ${value}.`)
}

const STATES: Record<string, string> = {
  pending: 'waiting',
  transcribing: 'transcribing',
  refining: 'refining',
  completed: '',
  failed: 'failed',
  canceled: 'cancelled',
}

function rowOf(capture: WireFoundCapture): Cell[] {
  const { id, recorded_at: recordedAt, duration_ms: durationMs, status, starred, error } = capture
  const seconds = durationMs === null ? null : durationMs / 1000
  const text = capture.text || error?.message || capture.title
  const state = STATES[status]
  const marks = [starred ? '★' : '', state ? `[${state}]` : ''].filter((mark) => mark !== '')
  return [
    idCell(id),
    momentCell(recordedAt),
    { shown: seconds === null ? '' : duration(seconds), piped: seconds === null ? '' : String(seconds) },
    ...(process.stdout.isTTY ? [] : [status, starred ? 'starred' : '']),
    {
      shown: [...marks, capture.highlight === null ? oneLine(text) : marked(capture.highlight)].join(' '),
      piped: capture.highlight === null ? text : plainText(capture.highlight),
      isStyled: true,
    },
  ]
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
const unescaped = (html: string) => html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity]!)

const plainText = (highlight: string): string => unescaped(highlight.replace(/<\/?mark>/g, ''))

/** HTML with <mark> as text with bold words. */
const marked = (highlight: string): string =>
  oneLine(highlight).replace(/<mark>(.*?)<\/mark>|[^<]+/g, (part, words: string | undefined) =>
    words === undefined ? unescaped(part) : styleText(['bold', 'yellow'], unescaped(words)),
  )
