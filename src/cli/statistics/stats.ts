import type { Static } from '@sinclair/typebox'
import type { StatisticsSchema } from '../../http/captures/stats.ts'
import type { Given } from '../command.ts'
import { momentOption } from '../option-values.ts'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import { duration } from '../terminal/report.ts'
import { fieldsText, localMinute } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'

type Statistics = Static<typeof StatisticsSchema>
type Options = { period?: string; since?: string; until?: string; app?: string; source?: string }

export async function statsCommand({ server, report }: Tools, { options }: Given<Options>): Promise<number> {
  const since = momentOption('since', options.since)
  const until = momentOption('until', options.until)
  if (options.period !== undefined && (since !== undefined || until !== undefined))
    throw new UsageError('Give either --period or --since and --until.')
  const wanted = { ...options, since, until, tz: Intl.DateTimeFormat().resolvedOptions().timeZone }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) query.set(name, value)
  const statistics = await server.request<Statistics>('GET', `/captures/stats?${query}`)
  report.answer(statistics, () => fieldsText(fieldsOf(statistics)))
  return EXIT.done
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

function fieldsOf(all: Statistics): [string, string | null][] {
  const { since, until, words_per_minute: perMinute, previous } = all
  const change = previous.change_percent
  return [
    ['period', all.period],
    ['from', since === null ? null : localMinute(since)],
    ['until', until === null ? null : localMinute(until)],
    ['captures', String(all.total_captures)],
    ['words', String(all.total_words)],
    ['speech', duration(all.total_duration_ms / 1000)],
    ['words per minute', perMinute === null ? null : String(perMinute)],
    ['time saved', `${duration(all.time_saved_seconds)} (typing ${all.typing_wpm} words a minute)`],
    ['change', change === null ? null : `${change > 0 ? '+' : ''}${change} % words since the period before`],
    ['active', days(all.active_days)],
    ['streak', `${days(all.current_streak)}, longest ${days(all.longest_streak)}`],
    ['refined', String(all.refined_count)],
    ['corrections', `${all.corrections_applied} by the dictionary`],
    ['failed', String(all.failed_count)],
    ['sources', shares(all.by_source.map(({ source, captures }) => [source, captures]))],
    ['languages', shares(all.by_language.map(({ language, captures }) => [language, captures]))],
    ['models', shares(all.by_model.map(({ model, captures }) => [model, captures]))],
  ]
}

const shares = (parts: [name: string | null, captures: number][]): string =>
  parts.map(([name, captures]) => `${name ?? 'unknown'} ${captures}`).join(', ')
