// Shows two texts inline with insertions and deletions, or side by side.

import { useMemo } from 'preact/hooks'
import { MarkedChanges } from '../parts/changed-text.tsx'
import { textChanges } from '../parts/text-changes.ts'
import { strings } from '../strings/strings.ts'

type Props = { before: string; after: string; language: string | null; isBeside: boolean }

export const ComparedTexts = ({ before, after, language, isBeside }: Props) => {
  const changes = useMemo(() => textChanges(before, after, language), [before, after, language])
  const { capture: text } = strings.value
  if (before === after) return <p class="muted">{text.noChange}</p>
  if (!isBeside) return <MarkedChanges changes={changes} language={language} />
  return (
    <div class="beside">
      <section aria-label={text.before}>
        <h2>{text.before}</h2>
        <MarkedChanges changes={changes.filter(({ kind }) => kind !== 'new')} language={language} />
      </section>
      <section aria-label={text.after}>
        <h2>{text.after}</h2>
        <MarkedChanges changes={changes.filter(({ kind }) => kind !== 'gone')} language={language} />
      </section>
    </div>
  )
}
