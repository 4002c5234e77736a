// Models available for download: one of each size, then all, then any file of the hub by name.

import { useState } from 'preact/hooks'
import { percentage } from '../parts/formats.ts'
import { modelName } from '../parts/model-names.ts'
import { note } from '../parts/toasts.tsx'
import type { ListedModel } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { sizeOf, startDownload } from './model-state.ts'

type Shown = { models: ListedModel[]; reload: () => Promise<void> }

export const Catalogue = ({ models, reload }: Shown) => {
  const { models: words } = strings.value
  const [sought, seek] = useState('')
  const away = models.filter(({ downloaded, downloading }) => !downloaded && !downloading)
  const isFirst = (model: ListedModel) =>
    model.recommended || model.progress !== null || isSmallest(models, model)
  const found = away.filter(({ model_name }) =>
    `${model_name} ${modelName(model_name)}`.toLowerCase().includes(sought.trim().toLowerCase()),
  )
  return (
    <section aria-labelledby="models-get">
      <h2 id="models-get">{words.get}</h2>
      <p class="muted">{words.getHelp}</p>
      <Offered models={away.filter(isFirst)} reload={reload} />
      <details>
        <summary>{words.more}</summary>
        <div class="field">
          <label for="models-search">{words.search}</label>
          <input
            id="models-search"
            type="search"
            value={sought}
            onInput={({ currentTarget }) => seek(currentTarget.value)}
          />
        </div>
        {found.length === 0 && <p class="muted">{words.nothingFound}</p>}
        <Offered models={found} reload={reload} />
      </details>
      <FromHub reload={reload} />
    </section>
  )
}

/** The smallest multilingual file of each size: the one most users want. */
function isSmallest(models: ListedModel[], model: ListedModel): boolean {
  if (model.multilingual !== true) return false
  const same = models.filter(({ size, multilingual }) => multilingual && size === model.size)
  return same.every(({ expected_size_mb: mb }) => (mb ?? 0) >= (model.expected_size_mb ?? 0))
}

const Offered = ({ models, reload }: Shown) => {
  const { models: words } = strings.value
  return (
    <ul class="plainlist offered">
      {models.map((model) => (
        <li key={model.file}>
          <div>
            <strong>{modelName(model.model_name)}</strong>{' '}
            {model.recommended && <span class="badge">{words.recommended}</span>}
            <div class="muted small">
              {[model.size && words.abouts[model.size], languageWords(model), sizeOf(model)]
                .filter(Boolean)
                .join(' · ')}
              {model.progress !== null && ` · ${halfDoneWords(model.progress)}`}
            </div>
          </div>
          <Begin model={model} reload={reload} />
        </li>
      ))}
    </ul>
  )
}

function languageWords({ multilingual }: ListedModel): string {
  const { models: words } = strings.value
  return multilingual ? words.manyLanguages : words.englishOnly
}

const halfDoneWords = (fraction: number): string =>
  filled(strings.value.models.halfDone, { percent: percentage(Math.floor(fraction * 100)) })

const Begin = ({ model, reload }: { model: ListedModel; reload: () => Promise<void> }) => {
  const { models: words } = strings.value
  const isHalfDone = model.progress !== null
  const named = isHalfDone ? words.resumeNamed : words.downloadNamed
  return (
    <button
      type="button"
      aria-label={filled(named, { name: modelName(model.model_name), size: sizeOf(model) })}
      onClick={() => void begin(model.model_name, reload)}
    >
      {isHalfDone ? words.resume : words.download}
    </button>
  )
}

async function begin(name: string, reload: () => Promise<void>): Promise<boolean> {
  const hasBegun = await startDownload(name)
  if (hasBegun) note(filled(strings.value.models.started, { name: modelName(name) }))
  await reload()
  return hasBegun
}

const FromHub = ({ reload }: { reload: () => Promise<void> }) => {
  const { models: words } = strings.value
  const [name, setName] = useState('')
  const send = async (event: Event) => {
    event.preventDefault()
    if (await begin(name.trim(), reload)) setName('')
  }
  return (
    <details>
      <summary>{words.hub}</summary>
      <form class="field" onSubmit={(event) => void send(event)}>
        <label for="models-hub">{words.hubHelp}</label>
        <div class="row">
          <input
            id="models-hub"
            class="wide"
            required
            spellcheck={false}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <button type="submit">{words.download}</button>
        </div>
      </form>
    </details>
  )
}
