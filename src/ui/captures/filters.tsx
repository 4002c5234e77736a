// The filters of the list: input fields, and the active filters as removable chips.

import { useEffect, useState } from 'preact/hooks'
import { modelName } from '../parts/model-names.ts'
import { nameOfLanguage } from '../parts/spoken-languages.ts'
import { request } from '../server/request.ts'
import type { AppUses, UsageStatistics } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { type CaptureFilterName, filtersInOrder, type ListQuery, withFilter } from './capture-query.ts'
import { filtersOfPresets } from './presets.tsx'
import { loadUsedTags } from './tags.tsx'

type Props = { query: ListQuery; onQuery: (query: ListQuery) => void }

/** Suggestions, most used first; requested when the fields open. */
type InUse = { apps: string[]; languages: string[]; models: string[]; tags: string[] }

async function whatIsInUse(): Promise<InUse> {
  const [apps, usage, tags] = await Promise.all([
    request<AppUses>('/captures/apps?limit=50'),
    request<UsageStatistics>('/captures/stats?period=all'),
    loadUsedTags(),
  ])
  const present = (values: (string | null)[]) => values.filter((value) => value !== null)
  return {
    apps: [...new Set(present(apps.items.map(({ app_name, app_id }) => app_name ?? app_id)))],
    languages: present(usage.by_language.map(({ language }) => language)),
    models: present(usage.by_model.map(({ model }) => model)),
    tags,
  }
}

const named = (values: readonly string[], name: (value: string) => string = (value) => value) =>
  values.map((value): [string, string] => [value, name(value)])

export const FilterFields = ({ query, onQuery }: Props) => {
  const [inUse, show] = useState<InUse>({ apps: [], languages: [], models: [], tags: [] })
  useEffect(() => {
    // The other fields work without the suggestions.
    whatIsInUse().then(show, () => {})
  }, [])
  const text = strings.value.captures
  const choices: [CaptureFilterName, [string, string][]][] = [
    ['source', Object.entries(text.sources)],
    ['status', Object.entries(text.statuses)],
    ['app', named(inUse.apps)],
    ['language', named(inUse.languages, nameOfLanguage)],
    ['model', named(inUse.models, modelName)],
    ['tag', named(inUse.tags)],
  ]
  const set = (name: CaptureFilterName, value: string | null) => onQuery(withFilter(query, name, value))
  return (
    <fieldset class="card filterfields">
      <legend class="unseen">{text.filters}</legend>
      {choices.map(([name, values]) => (
        <label class="field" key={name}>
          <span class="label">{text.filterNames[name]}</span>
          <select
            value={query.filters[name] ?? ''}
            onChange={({ currentTarget }) => set(name, currentTarget.value || null)}
          >
            <option value="">{text.any}</option>
            {withChosen(values, query.filters[name]).map(([value, shown]) => (
              <option key={value} value={value}>
                {shown}
              </option>
            ))}
          </select>
        </label>
      ))}
      {(['since', 'until'] as const).map((name) => (
        <label class="field" key={name}>
          <span class="label">{text.filterNames[name]}</span>
          <input
            type="date"
            value={query.filters[name] ?? ''}
            onChange={({ currentTarget }) => set(name, currentTarget.value || null)}
          />
        </label>
      ))}
      {(['starred', 'trashed'] as const).map((name) => (
        <label class="choice" key={name}>
          <input
            type="checkbox"
            checked={query.filters[name] === 'true'}
            onChange={({ currentTarget }) => set(name, currentTarget.checked ? 'true' : null)}
          />
          {text.filterNames[name]}
        </label>
      ))}
      <p class="muted small wholerow">{text.dateTips}</p>
    </fieldset>
  )
}

/** Adds a value from the address that no capture has. */
const withChosen = (values: [string, string][], chosen: string | undefined): [string, string][] =>
  chosen === undefined || values.some(([value]) => value === chosen) ? values : [[chosen, chosen], ...values]

export const Chips = ({ query, onQuery }: Props) => {
  const text = strings.value.captures
  const pressed = filtersOfPresets(query.filters)
  const filters = filtersInOrder(query).filter(([name]) => !pressed.has(name))
  if (filters.length === 0) return null
  return (
    <ul class="row plainlist chips" aria-label={text.filtersOn}>
      {filters.map(([name, value]) => {
        const shown = chipText(name, value)
        return (
          <li key={name}>
            <button
              type="button"
              class="chip"
              aria-label={filled(text.removeFilter, { filter: shown })}
              onClick={() => onQuery(withFilter(query, name, null))}
            >
              {shown} <span aria-hidden="true">×</span>
            </button>
          </li>
        )
      })}
      <li>
        <button type="button" class="plain" onClick={() => onQuery({ ...query, filters: {} })}>
          {text.clearFilters}
        </button>
      </li>
    </ul>
  )
}

function chipText(name: CaptureFilterName, value: string): string {
  const text = strings.value.captures
  const label = text.filterNames[name]
  if (name === 'starred' || name === 'trashed') return label
  const names: Partial<Record<CaptureFilterName, Record<string, string>>> = {
    source: text.sources,
    status: text.statuses,
  }
  if (name === 'language') return `${label}: ${nameOfLanguage(value)}`
  if (name === 'model') return `${label}: ${modelName(value)}`
  return `${label}: ${names[name]?.[value] ?? value}`
}
