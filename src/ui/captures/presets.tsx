// One-click filters above the list: recent days, starred captures and the trash.

import { strings } from '../strings/strings.ts'
import type { CaptureFilterName, ListQuery } from './capture-query.ts'
import { daysBefore } from './day-groups.ts'

type Filters = ListQuery['filters']

/** A filter by date replaces the other one; `clears` are the filters that it cannot be combined with. */
type Preset = {
  name: 'today' | 'week' | 'month' | 'starred' | 'trashed'
  sets: Filters
  clears: CaptureFilterName[]
}

const sinceDay = (days: number): Preset['sets'] => ({ since: dateText(daysBefore(new Date(), days)) })

/** As `<input type=date>` writes it. */
function dateText(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const presets = (): Preset[] => [
  { name: 'today', sets: sinceDay(0), clears: ['until'] },
  { name: 'week', sets: sinceDay(6), clears: ['until'] },
  { name: 'month', sets: sinceDay(29), clears: ['until'] },
  { name: 'starred', sets: { starred: 'true' }, clears: [] },
  { name: 'trashed', sets: { trashed: 'true' }, clears: [] },
]

const isOn = ({ sets, clears }: Preset, filters: Filters): boolean =>
  Object.entries(sets).every(([name, value]) => filters[name as CaptureFilterName] === value) &&
  clears.every((name) => filters[name] === undefined)

/** The filters that a pressed preset shows, so that they need no chip. */
export const filtersOfPresets = (filters: Filters): Set<string> =>
  new Set(presets().flatMap((preset) => (isOn(preset, filters) ? Object.keys(preset.sets) : [])))

type Props = { query: ListQuery; onQuery: (query: ListQuery) => void }

export const Presets = ({ query, onQuery }: Props) => {
  const text = strings.value.captures
  const toggle = (preset: Preset) => {
    const removed = [...Object.keys(preset.sets), ...preset.clears]
    const others = Object.entries(query.filters).filter(([name]) => !removed.includes(name))
    const added = isOn(preset, query.filters) ? {} : preset.sets
    onQuery({ ...query, filters: { ...Object.fromEntries(others), ...added } })
  }
  return (
    <fieldset class="row presets">
      <legend class="unseen">{text.presets}</legend>
      {presets().map((preset) => (
        <button
          key={preset.name}
          type="button"
          class="chip"
          aria-pressed={isOn(preset, query.filters)}
          onClick={() => toggle(preset)}
        >
          {text.presetNames[preset.name]}
        </button>
      ))}
    </fieldset>
  )
}
