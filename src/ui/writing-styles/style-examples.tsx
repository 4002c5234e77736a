// The examples of a style for a language model: spoken text and the desired result.

import { LineField } from '../parts/form-field.tsx'
import type { ShownStyle } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'

type Examples = ShownStyle['examples']

const MOST = 8

export const StyleExamples = ({
  examples,
  set,
}: {
  examples: Examples
  set: (examples: Examples) => void
}) => {
  const { styles: words } = strings.value
  const change = (at: number, part: Partial<Examples[number]>) =>
    set(examples.map((example, index) => (index === at ? { ...example, ...part } : example)))
  return (
    <div class="stack">
      {examples.map((example, at) => (
        <div key={at} class="fields">
          <LineField
            id={`style-example-${at}-input`}
            label={filled(words.spoken, { n: at + 1 })}
            rows={2}
            value={example.input}
            set={(input) => change(at, { input })}
          />
          <LineField
            id={`style-example-${at}-output`}
            label={filled(words.written, { n: at + 1 })}
            rows={2}
            value={example.output}
            set={(output) => change(at, { output })}
          />
        </div>
      ))}
      <div class="row">
        {examples.length < MOST && (
          <button type="button" onClick={() => set([...examples, { input: '', output: '' }])}>
            {words.addExample}
          </button>
        )}
        {examples.length > 0 && (
          <button type="button" onClick={() => set(examples.slice(0, -1))}>
            {words.removeExample}
          </button>
        )}
      </div>
    </div>
  )
}
