// One group of the server's settings, each saved on change, with the warnings about them.

import { attempt, note } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import { strings } from '../strings/strings.ts'
import { SettingInput } from './setting-field.tsx'
import { groupOfWarning, type SettingChoices, type SettingGroup } from './setting-groups.ts'
import { warningText } from './setting-warnings.ts'

/** By wire name; the server validates the values. */
export type SettingValues = Record<string, unknown> & { warnings: { code: string; message: string }[] }

export type KnownSettings = SettingChoices & { values: SettingValues }

export const SETTINGS_PATH = '/settings/captures'

type Props = { group: SettingGroup; known: KnownSettings; put: (values: SettingValues) => void }

export const SettingSection = ({ group: { name, fields }, known, put }: Props) => {
  const { settings: words } = strings.value
  const change = async (json: Record<string, unknown>) => {
    put(await request<SettingValues>(SETTINGS_PATH, { method: 'PATCH', json }))
  }
  return (
    <section class="card" aria-labelledby={`settings-${name}`}>
      <h2 id={`settings-${name}`}>{words.groups[name]}</h2>
      {words.groupHelp[name] && <p class="muted">{words.groupHelp[name]}</p>}
      <Warnings
        warnings={known.values.warnings.filter(({ code }) => groupOfWarning(code) === name)}
        change={change}
      />
      <div class="settinglist">
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
  )
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
      {warnings.map((warning) => (
        <p key={warning.message} class="warning">
          {warningText(warning)}{' '}
          {warning.code === 'removal_announced' && (
            <button type="button" class="danger" onClick={() => void removeNow()}>
              {words.removeNow}
            </button>
          )}
        </p>
      ))}
    </div>
  )
}
