// A heatmap of dictation by hour and day of the week in the browser's time zone, and the same as a table.

import { figure } from '../parts/formats.ts'
import { ScrollBox } from '../parts/layout.tsx'
import { counted, filled, pageLocale, strings } from '../strings/strings.ts'

const CELL = 20
const LABEL = 44
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** A Monday. */
const FIRST_DAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000
const SHADES = 4

export const HourMap = ({ hourly }: { hourly: readonly (readonly number[])[] }) => {
  const { statistics: words } = strings.value
  const most = Math.max(1, ...hourly.flat())
  return (
    <section class="card" aria-labelledby="stats-hours">
      <h2 id="stats-hours">{words.hours}</h2>
      <ScrollBox label={`${words.hours}: ${words.picture}`}>
        <svg class="hours" viewBox={`0 0 ${LABEL + 24 * CELL} ${8 * CELL}`} role="img">
          <title>{titleOf(hourly)}</title>
          {HOURS.filter((hour) => hour % 3 === 0).map((hour) => (
            <text key={hour} x={LABEL + hour * CELL} y={14}>
              {hour}
            </text>
          ))}
          {hourly.map((counts, day) => (
            <g key={day}>
              <text x={0} y={(day + 1) * CELL + 14}>
                {dayName(day, 'short')}
              </text>
              {counts.map((count, hour) => (
                <rect
                  key={hour}
                  class={`shade${Math.ceil((count / most) * SHADES)}`}
                  x={LABEL + hour * CELL + 1}
                  y={(day + 1) * CELL + 1}
                  width={CELL - 2}
                  height={CELL - 2}
                  rx={3}
                >
                  <title>{`${dayName(day, 'long')} ${hour}:00 – ${counted(count, words.captureCount)}`}</title>
                </rect>
              ))}
            </g>
          ))}
        </svg>
      </ScrollBox>
      <details>
        <summary>{words.asTable}</summary>
        <ScrollBox label={`${words.hours}: ${words.table}`}>
          <table class="dense">
            <thead>
              <tr>
                <th scope="col">{words.day}</th>
                {HOURS.map((hour) => (
                  <th key={hour} scope="col">
                    {hour}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {hourly.map((counts, day) => (
                <tr key={day}>
                  <th scope="row">{dayName(day, 'short')}</th>
                  {counts.map((count, hour) => (
                    <td key={hour}>{count === 0 ? '·' : figure(count)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      </details>
    </section>
  )
}

/** Names the busiest hour: the main point of the chart. */
function titleOf(hourly: readonly (readonly number[])[]): string {
  const { statistics: words } = strings.value
  const all = hourly.flatMap((counts, day) => counts.map((count, hour) => ({ day, hour, count })))
  const busiest = all.reduce((most, one) => (one.count > most.count ? one : most))
  if (busiest.count === 0) return words.hoursEmpty
  return filled(words.hoursTitle, {
    day: dayName(busiest.day, 'long'),
    hour: busiest.hour,
    count: counted(busiest.count, words.captureCount),
  })
}

const dayName = (day: number, weekday: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(pageLocale.value, { weekday, timeZone: 'UTC' }).format(
    new Date(FIRST_DAY + day * DAY_MS),
  )
