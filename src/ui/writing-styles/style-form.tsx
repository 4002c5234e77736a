import type { ComponentChildren } from 'preact'
import { FlagField, LineField, PickField, useFieldErrors } from '../parts/form-field.tsx'
import { languagesByName } from '../parts/spoken-languages.ts'
import { note } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ShownStyle } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { type StyleDraft, sentStyle, type ThreeWay } from './style-draft.ts'
import { StyleExamples } from './style-examples.tsx'

const TONES = ['neutral', 'formal', 'casual', 'very_casual', 'verbatim'] as const

const FIELDS = [
  ...['name', 'description', 'tone', 'instructions', 'app_categories', 'apps', 'url_patterns'],
  ...['language', 'stt_model', 'llm_model', 'priority', 'enabled'],
]

const THREE_WAYS: readonly ThreeWay[] = ['settings', 'yes', 'no']
const REFINING = ['smart_cleanup', 'self_correction', 'preserve_technical'] as const
const RULE_FLAGS = ['remove_fillers', 'spoken_punctuation', 'paragraphs', 'trailing_space'] as const
const RULE_CHOICES = {
  capitalize: ['sentence', 'none', 'lower'],
  trailing_period: ['keep', 'add', 'strip'],
  numbers: ['digits', 'words'],
} as const

type Form = {
  style: ShownStyle
  draft: StyleDraft
  setDraft: (draft: StyleDraft) => void
  reload: () => Promise<void>
}

export const StyleForm = ({ style, draft, setDraft, reload }: Form) => {
  const { styles: words, settings } = strings.value
  const faults = useFieldErrors(FIELDS)
  const set = (change: Partial<StyleDraft>) => setDraft({ ...draft, ...change })
  const setRule = (change: Partial<StyleDraft['rules']>) => set({ rules: { ...draft.rules, ...change } })
  const send = async (event: Event) => {
    event.preventDefault()
    const json = sentStyle(draft)
    const isSaved = await faults.trying(() =>
      request(`/writing-styles/${style.id}`, { method: 'PATCH', json }),
    )
    if (!isSaved) return
    note(filled(words.kept, { name: draft.name }))
    await reload()
  }
  const isFaulty = (...names: string[]) => names.some((name) => faults.of(name) !== null)
  const line = (name: 'name' | 'llm_model' | 'stt_model' | 'priority', help = '') => (
    <LineField
      id={`style-${name}`}
      label={words.fields[name]}
      help={help}
      value={draft[name]}
      set={(value) => set({ [name]: value })}
      fault={faults.of(name)}
      isRequired={name === 'name'}
      isNumber={name === 'priority'}
    />
  )
  const lines = (
    name: 'description' | 'instructions' | 'app_categories' | 'apps' | 'url_patterns',
    help = '',
  ) => (
    <LineField
      id={`style-${name}`}
      label={words.fields[name]}
      help={help}
      rows={name === 'description' ? 2 : 3}
      value={draft[name]}
      set={(value) => set({ [name]: value })}
      fault={faults.of(name)}
    />
  )
  return (
    <form class="stack" onSubmit={(event) => void send(event)}>
      <div class="card stack">
        {line('name')}
        {lines('description')}
        <FlagField
          id="style-enabled"
          label={words.fields.enabled}
          value={draft.enabled}
          set={(enabled) => set({ enabled })}
          fault={faults.of('enabled')}
        />
      </div>
      <Section name={words.rules} isOpen>
        <div class="fields">
          {RULE_FLAGS.map((name) => (
            <FlagField
              key={name}
              id={`style-${name}`}
              label={words.fields[name]}
              value={draft.rules[name]}
              set={(value) => setRule({ [name]: value })}
            />
          ))}
        </div>
        <div class="fields">
          {(Object.keys(RULE_CHOICES) as (keyof typeof RULE_CHOICES)[]).map((name) => (
            <PickField
              key={name}
              id={`style-${name}`}
              label={words.fields[name]}
              value={draft.rules[name] as string}
              options={RULE_CHOICES[name].map((value) => ({
                value: value as string,
                name: words.values[value],
              }))}
              set={(value) => setRule({ [name]: value })}
            />
          ))}
          {REFINING.map((name) => (
            <PickField
              key={name}
              id={`style-${name}`}
              label={settings.fields[name].label}
              value={draft[name]}
              options={THREE_WAYS.map((value) => ({ value, name: words.values[value] }))}
              set={(value) => set({ [name]: value })}
            />
          ))}
        </div>
      </Section>
      <Section name={words.where} isOpen={isFaulty('apps', 'app_categories', 'url_patterns', 'priority')}>
        <p class="muted small">{words.whereHelp}</p>
        <div class="fields">
          {lines('apps', words.appsHelp)}
          {lines('app_categories', words.categoriesHelp)}
          {lines('url_patterns', words.patternsHelp)}
          <PickField
            id="style-language"
            label={words.fields.language}
            value={draft.language}
            options={[
              { value: '', name: words.anyLanguage },
              ...languagesByName.value.map(({ code, name }) => ({ value: code, name })),
            ]}
            set={(language) => set({ language })}
            fault={faults.of('language')}
          />
          {line('priority', words.priorityHelp)}
          {line('stt_model', words.sttModelHelp)}
        </div>
      </Section>
      <Section name={words.llm} isOpen={isFaulty('tone', 'instructions', 'llm_model')}>
        <FlagField
          id="style-use_llm"
          label={words.fields.use_llm}
          value={draft.use_llm}
          set={(value) => set({ use_llm: value })}
        />
        <div class="fields">
          <PickField
            id="style-tone"
            label={words.fields.tone}
            value={draft.tone}
            options={TONES.map((value) => ({ value, name: words.tones[value] }))}
            set={(tone) => set({ tone })}
            fault={faults.of('tone')}
          />
          {line('llm_model', words.llmModelHelp)}
        </div>
        {lines('instructions', words.instructionsHelp)}
        <StyleExamples examples={draft.examples} set={(examples) => set({ examples })} />
      </Section>
      <p class="fault" role="alert">
        {faults.rest}
      </p>
      <div>
        <button type="submit" class="primary">
          {words.save}
        </button>
      </div>
    </form>
  )
}

/** @param isOpen at first, and whenever it becomes true: a rejected field must be visible */
const Section = ({
  name,
  isOpen,
  children,
}: {
  name: string
  isOpen: boolean
  children: ComponentChildren
}) => (
  <details class="card" open={isOpen}>
    <summary>
      <h2>{name}</h2>
    </summary>
    <div class="stack">{children}</div>
  </details>
)
