// Words per day as a bar chart and as a table; per month if there are too many days.

import { figure, timeSpan } from '../parts/formats.ts'
import { ScrollBox } from '../parts/layout.tsx'
import { counted, filled, pageLocale, strings } from '../strings/strings.ts'
import { axisEnd, barsOf, type DaySum, evenly } from './day-sums.ts'

/** Units of the SVG view box, which stretches to the width of the page. */
const WIDTH = 1000
const HEIGHT = 160
/** Minimum height of a bar, so that a day with one word is visible. */
const LEAST = 2
/** Dates under the chart; more do not fit on a phone. */
const TICKS = 4

export const DayChart = ({ daily }: { daily: readonly DaySum[] }) => {
  const { statistics: words } = strings.value
  const { by, bars } = barsOf(daily)
  const most = Math.max(1, ...bars.map((bar) => bar.words))
  const end = axisEnd(most)
  const step = WIDTH / Math.max(bars.length, 1)
  const title = filled(by === 'day' ? words.dailyTitle : words.monthlyTitle, { most: figure(most) })
  return (
    <section class="card" aria-labelledby="stats-daily">
      <h2 id="stats-daily">{by === 'day' ? words.daily : words.monthly}</h2>
      <div class="chart">
        <div class="axis muted small" aria-hidden="true">
          {[end, end / 2, 0].map((value) => (
            <span key={value}>{figure(value)}</span>
          ))}
        </div>
        <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
          <title>{title}</title>
          {[0, HEIGHT / 2].map((y) => (
            <line key={y} x1={0} x2={WIDTH} y1={y} y2={y} />
          ))}
          {bars.map((bar, at) => {
            const height = bar.words === 0 ? 0 : Math.max(LEAST, (bar.words / end) * HEIGHT)
            return (
              <g key={bar.date}>
                <title>{`${dayName(bar.date, by)}: ${counted(bar.words, words.words)}`}</title>
                <rect class="field" x={at * step} y={0} width={step} height={HEIGHT} />
                <rect x={at * step + step * 0.1} y={HEIGHT - height} width={step * 0.8} height={height} />
              </g>
            )
          })}
        </svg>
        <p class="row ends muted small" aria-hidden="true">
          {evenly(bars, TICKS).map(({ date }) => (
            <span key={date}>{tickName(date, by)}</span>
          ))}
        </p>
      </div>
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
const dateIn = (date: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(pageLocale.value, { timeZone: 'UTC', ...options }).format(
    new Date(`${date}T00:00:00Z`),
  )

const dayName = (date: string, by: 'day' | 'month'): string =>
  dateIn(date, { year: 'numeric', month: 'short', ...(by === 'day' && { day: 'numeric' }) })

const tickName = (date: string, by: 'day' | 'month'): string =>
  dateIn(date, by === 'day' ? { day: 'numeric', month: 'short' } : { month: 'short', year: 'numeric' })
