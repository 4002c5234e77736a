// The settings of the server, each saved on change; the page's own preferences; and the server's health.

import { FirstStepsCard } from '../first-steps/first-steps-card.tsx'
import { Heading } from '../parts/layout.tsx'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { LanguageChoice, ThemeChoice } from '../parts/page-choices.tsx'
import { attempt, note } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ListOf, ModelList } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { HealthCard } from './health-card.tsx'
import { SettingInput } from './setting-field.tsx'
import { groupOfWarning, SETTING_GROUPS, type SettingChoices } from './setting-groups.ts'

/** By wire name; the server validates the values. */
type SettingValues = Record<string, unknown> & { warnings: { code: string; message: string }[] }

type Known = SettingChoices & { values: SettingValues }

const ADDRESS = '/settings/captures'

async function loadSettings(signal: AbortSignal): Promise<Known> {
  const [values, { models }, { items }] = await Promise.all([
    request<SettingValues>(ADDRESS, { signal }),
    request<ModelList>('/models/status', { signal }),
    request<ListOf<{ id: string; name: string }>>('/writing-styles', { signal }),
  ])
  const installed = models.filter(({ alias_of, downloaded }) => downloaded && alias_of === null)
  return { values, models: installed, styles: items }
}

export const SettingsView = () => {
  const known = useLoad(loadSettings)
  const { views, settings: words } = strings.value
  return (
    <>
      <Heading text={views.settings} />
      <div class="settings">
        <section class="card" aria-labelledby="settings-page">
          <h2 id="settings-page">{words.page}</h2>
          <p class="muted">{words.pageHelp}</p>
          <div class="fields">
            <ThemeChoice id="settings-theme" />
            <LanguageChoice id="settings-language" />
          </div>
        </section>
        <FirstStepsCard />
        <WhenLoaded of={known}>
          {(value) => <Groups known={value} put={(values) => known.put({ ...value, values })} />}
        </WhenLoaded>
        <HealthCard />
      </div>
    </>
  )
}

const Groups = ({ known, put }: { known: Known; put: (values: SettingValues) => void }) => {
  const { settings: words } = strings.value
  const change = async (json: Record<string, unknown>) => {
    put(await request<SettingValues>(ADDRESS, { method: 'PATCH', json }))
  }
  return SETTING_GROUPS.map(({ name, fields }) => (
    <section key={name} class="card" aria-labelledby={`settings-${name}`}>
      <h2 id={`settings-${name}`}>{words.groups[name]}</h2>
      {words.groupHelp[name] && <p class="muted">{words.groupHelp[name]}</p>}
      <Warnings
        warnings={known.values.warnings.filter(({ code }) => groupOfWarning(code) === name)}
        change={change}
      />
      <div class="fields">
        {fields.map((field) => (
          <SettingInput
            key={field.name}
            field={field}
            value={known.values[field.name]}
            choices={known}
            change={(value) => change({ [field.name]: value })}
          />
        ))}
      </div>
    </section>
  ))
}

type Warned = {
  warnings: SettingValues['warnings']
  change: (json: Record<string, unknown>) => Promise<void>
}

const Warnings = ({ warnings, change }: Warned) => {
  const { settings: words } = strings.value
  const removeNow = async () => {
    if (await attempt(() => change({ confirm_removal: true }))) note(words.removed)
  }
  return (
    <div role="status">
      {warnings.map(({ code, message }) => (
        <p key={message} class="warning">
          {message}{' '}
          {code === 'removal_announced' && (
            <button type="button" class="danger" onClick={() => void removeNow()}>
              {words.removeNow}
            </button>
          )}
        </p>
      ))}
    </div>
  )
}
