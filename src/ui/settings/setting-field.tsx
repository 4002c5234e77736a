// One setting with its label, help and error.

import { useState } from 'preact/hooks'
import { announce, textOfError } from '../parts/toasts.tsx'
import { Refused } from '../server/request.ts'
import { filled, strings } from '../strings/strings.ts'
import type { SettingChoices, SettingField } from './setting-groups.ts'
import { ChoiceInput, FlagInput, LanguagesInput, LineInput, LinesInput } from './setting-inputs.tsx'
import { settingFaultText } from './setting-warnings.ts'

type Setting = {
  field: SettingField
  value: unknown
  choices: SettingChoices
  change: (value: unknown) => Promise<void>
}

export const SettingInput = ({ field, value, choices, change }: Setting) => {
  const { settings: words } = strings.value
  const { label, help } = words.fields[field.name]
  const [fault, setFault] = useState<string | null>(null)
  const id = `setting-${field.name}`
  const isBroad = field.kind === 'lines' || field.kind === 'languages'
  const set = async (chosen: unknown) => {
    try {
      await change(chosen)
      setFault(null)
      announce(filled(words.saved, { name: label }))
    } catch (error) {
      setFault(faultOf(error, field, label))
    }
  }
  const Input = inputOf(field)
  return (
    <div class={isBroad ? 'setting broad' : 'setting'}>
      <label for={id}>{label}</label>
      <Input
        id={id}
        field={field}
        value={value}
        choices={choices}
        describedBy={`${id}-help ${id}-fault`}
        isWrong={fault !== null}
        set={(chosen) => void set(chosen)}
      />
      <p id={`${id}-help`} class="muted small">
        {help}
      </p>
      <p id={`${id}-fault`} class="fault" role="alert">
        {fault}
      </p>
    </div>
  )
}

function inputOf({ kind }: SettingField) {
  switch (kind) {
    case 'flag':
      return FlagInput
    case 'languages':
      return LanguagesInput
    case 'lines':
      return LinesInput
    case 'model':
    case 'engine':
    case 'language':
    case 'style':
      return ChoiceInput
    default:
      return LineInput
  }
}

function faultOf(error: unknown, field: SettingField, label: string): string {
  const own =
    error instanceof Refused
      ? error.problem.errors?.find(({ path }) => path.split('/')[1] === field.name)
      : null
  return own ? settingFaultText(field, label, own.message) : textOfError(error)
}
