// One setting with its label, help and error.

import { useState } from 'preact/hooks'
import { announce, textOfError } from '../parts/toasts.tsx'
import { Refused } from '../server/request.ts'
import { filled, strings } from '../strings/strings.ts'
import type { SettingChoices, SettingField } from './setting-groups.ts'
import { ChoiceInput, FlagInput, LanguagesInput, LineInput, LinesInput } from './setting-inputs.tsx'

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
  const set = async (chosen: unknown) => {
    try {
      await change(chosen)
      setFault(null)
      announce(filled(words.saved, { name: label }))
    } catch (error) {
      setFault(faultOf(error, field.name, label))
    }
  }
  const Input = inputOf(field)
  const input = (
    <Input
      id={id}
      field={field}
      value={value}
      choices={choices}
      describedBy={`${id}-help ${id}-fault`}
      isWrong={fault !== null}
      set={(chosen) => void set(chosen)}
    />
  )
  return (
    <div class={field.kind === 'lines' || field.kind === 'languages' ? 'field broad' : 'field'}>
      {field.kind === 'flag' ? (
        <div class="choice">
          {input}
          <label for={id}>{label}</label>
        </div>
      ) : (
        <>
          <label for={id}>{label}</label>
          {input}
        </>
      )}
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
    case 'language':
    case 'style':
      return ChoiceInput
    default:
      return LineInput
  }
}

/** The server's message is about the field: "must be a whole number from 1 to 400". */
function faultOf(error: unknown, name: string, label: string): string {
  const own =
    error instanceof Refused ? error.problem.errors?.find(({ path }) => path.split('/')[1] === name) : null
  return own ? `${label} ${own.message}.` : textOfError(error)
}
