import { useState } from 'preact/hooks'
import { figure, percentage, timeSpan } from '../parts/formats.ts'
import { Heading, ScrollBox } from '../parts/layout.tsx'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { modelName } from '../parts/model-names.ts'
import { nameOfLanguage } from '../parts/spoken-languages.ts'
import { request } from '../server/request.ts'
import type { AppUses, UsageStatistics } from '../server/wire.ts'
import { counted, filled, strings } from '../strings/strings.ts'
import { DayChart } from './day-chart.tsx'
import { HourMap } from './hour-map.tsx'

const PERIODS = ['today', 'week', 'month', 'year', 'all'] as const
type Period = (typeof PERIODS)[number]

export const StatisticsView = () => {
  const { views, statistics: words } = strings.value
  const [period, choose] = useState<Period>('month')
  const loaded = useLoad(
    async (signal) => {
      const tz = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)
      const [statistics, apps] = await Promise.all([
        request<UsageStatistics>(`/captures/stats?period=${period}&tz=${tz}`, { signal }),
        request<AppUses>('/captures/apps?limit=20', { signal }),
      ])
      return { statistics, apps: apps.items }
    },
    [period],
  )
  return (
    <>
      <Heading text={views.statistics} />
      <fieldset class="segmented periods">
        <legend class="unseen">{words.period}</legend>
        {PERIODS.map((one) => (
          <label key={one}>
            <input type="radio" name="period" checked={one === period} onChange={() => choose(one)} />
            <span>{words.periods[one]}</span>
          </label>
        ))}
      </fieldset>
      <WhenLoaded of={loaded}>
        {({ statistics, apps }) =>
          statistics.total_captures === 0 ? (
            <p class="card">{words.empty}</p>
          ) : (
            <div class="statistics">
              <Totals statistics={statistics} />
              <DayChart daily={statistics.daily} />
              <HourMap hourly={statistics.hourly} />
              <Groups statistics={statistics} apps={apps} />
            </div>
          )
        }
      </WhenLoaded>
    </>
  )
}

const Totals = ({ statistics }: { statistics: UsageStatistics }) => {
  const { statistics: words } = strings.value
  const { words_per_minute: pace, previous } = statistics
  const main: [string, string][] = [
    [words.captures, figure(statistics.total_captures)],
    [words.wordCount, figure(statistics.total_words)],
    [words.spoken, timeSpan(statistics.total_duration_ms / 1000)],
    [words.saved, timeSpan(statistics.time_saved_seconds)],
  ]
  const others: [string, string][] = [
    [words.pace, pace === null ? words.unknown : figure(pace)],
    [words.average, figure(statistics.average_words, 1)],
    [words.streak, counted(statistics.current_streak, words.days)],
    [words.longest, counted(statistics.longest_streak, words.days)],
    [words.activeDays, figure(statistics.active_days)],
    [words.refined, figure(statistics.refined_count)],
    [words.corrections, figure(statistics.corrections_applied)],
    [words.failed, figure(statistics.failed_count)],
  ]
  return (
    <section aria-label={words.totals}>
      <dl class="totals main">
        {main.map(([name, value]) => (
          <div key={name} class="card">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <dl class="totals card">
        {others.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="muted small">
        {filled(words.savedHelp, { wpm: figure(statistics.typing_wpm) })}{' '}
        {previous.change_percent !== null &&
          filled(previous.change_percent < 0 ? words.less : words.more, {
            percent: percentage(Math.abs(previous.change_percent)),
            words: figure(previous.words),
          })}
      </p>
    </section>
  )
}

type Counted = { name: string; captures: number; words: number; duration_ms: number }

const Groups = ({ statistics, apps }: { statistics: UsageStatistics; apps: AppUses['items'] }) => {
  const { statistics: words } = strings.value
  return (
    <div class="groups">
      <GroupTable
        title={words.apps}
        groups={apps.map(({ app_name, app_id, capture_count, word_count, duration_ms }) => ({
          name: app_name ?? app_id ?? words.noApp,
          captures: capture_count,
          words: word_count,
          duration_ms,
        }))}
      />
      <GroupTable
        title={words.models}
        groups={statistics.by_model.map(({ model, ...sums }) => ({
          ...sums,
          name: model === null ? words.unknown : modelName(model),
        }))}
      />
      <GroupTable
        title={words.languages}
        groups={statistics.by_language.map(({ language, ...sums }) => ({
          ...sums,
          name: language === null ? words.unknown : nameOfLanguage(language),
        }))}
      />
      <GroupTable
        title={words.sources}
        groups={statistics.by_source.map(({ source, ...sums }) => ({
          ...sums,
          name: words.sourceNames[source],
        }))}
      />
    </div>
  )
}

const GroupTable = ({ title, groups }: { title: string; groups: Counted[] }) => {
  const { statistics: words } = strings.value
  return (
    <section class="card">
      <ScrollBox label={title}>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">{title}</span>
              </th>
              <th scope="col">{words.captures}</th>
              <th scope="col">{words.wordCount}</th>
              <th scope="col">{words.spoken}</th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.name}>
                <th scope="row">{group.name}</th>
                <td>{figure(group.captures)}</td>
                <td>{figure(group.words)}</td>
                <td>{timeSpan(group.duration_ms / 1000)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  )
}
