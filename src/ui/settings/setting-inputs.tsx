// Inputs for settings: checkboxes, selects, text, numbers and lists of languages.

import { useEffect, useRef, useState } from 'preact/hooks'
import { modelName } from '../parts/model-names.ts'
import { languagesByName, nameOfLanguage, writtenLanguagesByName } from '../parts/spoken-languages.ts'
import { filled, strings } from '../strings/strings.ts'
import type { SettingField, SettingInputProps } from './setting-groups.ts'

export const FlagInput = ({ id, value, describedBy, set }: SettingInputProps) => (
  <input
    id={id}
    type="checkbox"
    class="switch"
    checked={value === true}
    aria-describedby={describedBy}
    onChange={({ currentTarget }) => set(currentTarget.checked)}
  />
)

const AUTO = 'auto'
/** The value of the option that stands for null. */
const NULL = 'null'

export const ChoiceInput = ({ id, field, value, choices, describedBy, isWrong, set }: SettingInputProps) => {
  const { settings: words } = strings.value
  const options = optionsOf(field, choices)
  const isMissing = options.every((option) => option.value !== String(value))
  return (
    <select
      id={id}
      value={String(value)}
      aria-describedby={describedBy}
      aria-invalid={isWrong}
      onChange={({ currentTarget }) => set(currentTarget.value === NULL ? null : currentTarget.value)}
    >
      {isMissing && (
        <option value={String(value)}>{filled(words.notHere, { name: modelName(String(value)) })}</option>
      )}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  )
}

function optionsOf({ kind }: SettingField, { models, styles }: SettingInputProps['choices']) {
  const { automatic, asStarted, engines } = strings.value.settings
  const first = { value: AUTO, name: automatic }
  if (kind === 'language')
    return [first, ...writtenLanguagesByName.value.map(({ code, name }) => ({ value: code, name }))]
  if (kind === 'style') return styles.map(({ id, name }) => ({ value: id, name }))
  if (kind === 'engine')
    return [
      { value: NULL, name: asStarted },
      ...Object.entries(engines).map(([value, name]) => ({ value, name })),
    ]
  return [first, ...models.map(({ model_name }) => ({ value: model_name, name: modelName(model_name) }))]
}

/**
 * The text of a field. A value from the server replaces it unless the user has typed since the text was last sent: a
 * response to an earlier change must not overwrite newer input.
 */
function useDraft(value: string) {
  const [draft, setDraft] = useState(value)
  const settled = useRef(value)
  useEffect(() => {
    const before = settled.current
    settled.current = value
    setDraft((typed) => (typed === before ? value : typed))
  }, [value])
  const noteSent = (sent: string) => {
    settled.current = sent
  }
  return { draft, setDraft, noteSent }
}

/** Text, an address, a number or keys: saved on blur or Enter. */
export const LineInput = ({ id, field, value, describedBy, isWrong, set }: SettingInputProps) => {
  const { settings: words } = strings.value
  const { draft, setDraft, noteSent } = useDraft(shownAs(field, value))
  const isNumber = field.kind === 'number'
  return (
    <input
      id={id}
      type={isNumber ? 'number' : 'text'}
      {...(isNumber && { min: field.min, max: field.max, step: field.step ?? 1 })}
      list={undefined}
      inputMode={field.kind === 'address' ? 'url' : undefined}
      placeholder={isNumber && field.isOptional ? words.never : placeholderOf(field)}
      spellcheck={false}
      autocomplete="off"
      value={draft}
      aria-describedby={describedBy}
      aria-invalid={isWrong}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => {
        noteSent(currentTarget.value)
        set(meant(field, currentTarget.value.trim()))
      }}
    />
  )
}

const placeholderOf = (field: SettingField): string | undefined => {
  if (field.kind !== 'text' && field.kind !== 'address') return undefined
  const { automatic, none } = strings.value.settings
  return field.none === AUTO ? automatic : none
}

function shownAs(field: SettingField, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (field.kind === 'keys') return (value as string[]).join(' ')
  return field.kind === 'text' && value === field.none ? '' : String(value)
}

/** Invalid numbers are sent unchanged, so that the server explains what is wrong. */
function meant(field: SettingField, text: string): unknown {
  switch (field.kind) {
    case 'number':
      if (text === '') return field.isOptional ? null : ''
      return Number(text)
    case 'keys':
      return text.split(/[\s,+]+/).filter((key) => key !== '')
    case 'text':
    case 'address':
      return text === '' ? field.none : text
    default:
      return text
  }
}

export const LinesInput = ({ id, value, describedBy, isWrong, set }: SettingInputProps) => {
  const { draft, setDraft, noteSent } = useDraft(typeof value === 'string' ? value : '')
  return (
    <textarea
      id={id}
      rows={3}
      value={draft}
      aria-describedby={describedBy}
      aria-invalid={isWrong}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => {
        noteSent(currentTarget.value)
        set(currentTarget.value.trim() === '' ? null : currentTarget.value)
      }}
    />
  )
}

export const LanguagesInput = ({ id, value, describedBy, set }: SettingInputProps) => {
  const { settings: words } = strings.value
  const codes = value as string[]
  return (
    <div class="stack">
      <ul class="plainlist row">
        {codes.length === 0 && <li class="muted">{words.noLanguages}</li>}
        {codes.map((code) => (
          <li key={code}>
            <button
              type="button"
              aria-label={filled(words.removeLanguage, { name: nameOfLanguage(code) })}
              onClick={() => set(codes.filter((one) => one !== code))}
            >
              {nameOfLanguage(code)} <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ul>
      <select
        id={id}
        value=""
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          const added = currentTarget.value
          currentTarget.value = ''
          set([...codes, added])
        }}
      >
        <option value="">{words.addLanguage}</option>
        {languagesByName.value
          .filter(({ code }) => !codes.includes(code))
          .map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
      </select>
    </div>
  )
}
