// Words per day as a bar chart and as a table; per month if there are too many days.

import { figure, timeSpan } from '../parts/formats.ts'
import { ScrollBox } from '../parts/layout.tsx'
import { counted, filled, pageLanguage, strings } from '../strings/strings.ts'
import { barsOf, type DaySum } from './day-sums.ts'

/** Units of the SVG view box, which stretches to the width of the page. */
const WIDTH = 1000
const HEIGHT = 160
/** Minimum height of a bar, so that a day with one word is visible. */
const LEAST = 2

export const DayChart = ({ daily }: { daily: readonly DaySum[] }) => {
  const { statistics: words } = strings.value
  const { by, bars } = barsOf(daily)
  const most = Math.max(1, ...bars.map((bar) => bar.words))
  const step = WIDTH / Math.max(bars.length, 1)
  const title = filled(by === 'day' ? words.dailyTitle : words.monthlyTitle, { most: figure(most) })
  return (
    <section class="card" aria-labelledby="stats-daily">
      <h2 id="stats-daily">{by === 'day' ? words.daily : words.monthly}</h2>
      <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>{title}</title>
        {bars.map((bar, at) => {
          const height = bar.words === 0 ? 0 : Math.max(LEAST, (bar.words / most) * HEIGHT)
          return (
            <g key={bar.date}>
              <title>{`${dayName(bar.date, by)}: ${counted(bar.words, words.words)}`}</title>
              <rect class="field" x={at * step} y={0} width={step} height={HEIGHT} />
              <rect x={at * step + step * 0.1} y={HEIGHT - height} width={step * 0.8} height={height} />
            </g>
          )
        })}
      </svg>
      {bars.length > 0 && (
        <p class="row ends muted small">
          <span>{dayName(bars[0]!.date, by)}</span>
          <span>{dayName(bars.at(-1)!.date, by)}</span>
        </p>
      )}
      <details>
        <summary>{words.asTable}</summary>
        <ScrollBox label={`${words.daily}: ${words.table}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{by === 'day' ? words.day : words.month}</th>
                <th scope="col">{words.captures}</th>
                <th scope="col">{words.wordCount}</th>
                <th scope="col">{words.spoken}</th>
              </tr>
            </thead>
            <tbody>
              {bars
                .filter(({ captures }) => captures > 0)
                .map((bar) => (
                  <tr key={bar.date}>
                    <th scope="row">{dayName(bar.date, by)}</th>
                    <td>{figure(bar.captures)}</td>
                    <td>{figure(bar.words)}</td>
                    <td>{timeSpan(bar.duration_ms / 1000)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </ScrollBox>
      </details>
    </section>
  )
}

/** Calendar dates in UTC, so that no time zone shifts them. */
const dayName = (date: string, by: 'day' | 'month'): string =>
  new Intl.DateTimeFormat(pageLanguage.value, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'short',
    ...(by === 'day' && { day: 'numeric' }),
  }).format(new Date(`${date}T00:00:00Z`))
