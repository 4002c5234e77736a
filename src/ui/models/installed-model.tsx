import { useState } from 'preact/hooks'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { announce, note } from '../parts/toasts.tsx'
import type { ListedModel } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import {
  activateModel,
  deleteModel,
  languagesOf,
  loadModel,
  sizeOf,
  speedWords,
  timesRealTime,
  unloadModel,
} from './model-state.ts'

type Installed = {
  model: ListedModel
  isInUse: boolean
  speed: number | null
  reload: () => Promise<void>
}

export const InstalledModel = (installed: Installed) => {
  const { model, isInUse, speed } = installed
  const { models: words } = strings.value
  const times = timesRealTime(speed)
  return (
    <li class={isInUse ? 'card model used' : 'card model'}>
      <div class="row">
        <h3>{model.display_name}</h3>
        {isInUse && <span class="badge strong">{words.inUse}</span>}
        {model.recommended && <span class="badge">{words.recommended}</span>}
        {model.bundled && <span class="badge">{words.bundled}</span>}
        {model.loaded && <span class="badge">{words.loaded}</span>}
      </div>
      <dl class="facts">
        <Fact name={words.languages} value={languagesOf(model)} />
        <Fact name={words.size} value={sizeOf(model)} />
        <Fact name={words.precision} value={model.quantization ?? words.ownFile} />
        <Fact name={words.speed} value={speedWords(speed) + (times === null ? '' : ` (${times})`)} />
      </dl>
      <Actions {...installed} />
    </li>
  )
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

const Actions = ({ model, isInUse, reload }: Installed) => {
  const { models: words } = strings.value
  const { model_name: name, display_name: shown } = model
  const [isBusy, setBusy] = useState(false)
  const during = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work()
    await reload()
    setBusy(false)
  }
  const use = async () => {
    if (await activateModel(name)) announce(filled(words.used, { name: shown }))
  }
  return (
    <div class="row">
      {!isInUse && (
        <button
          type="button"
          class="primary"
          aria-label={filled(words.useNamed, { name: shown })}
          disabled={isBusy}
          onClick={() => void during(use)}
        >
          {words.use}
        </button>
      )}
      <button
        type="button"
        aria-label={filled(model.loaded ? words.unloadNamed : words.loadNamed, { name: shown })}
        aria-busy={isBusy}
        disabled={isBusy}
        onClick={() => void during(() => (model.loaded ? unloadModel(name) : loadModel(name)))}
      >
        {model.loaded ? words.unload : words.load}
      </button>
      {!model.bundled && (
        <ConfirmButton
          label={words.delete}
          name={filled(words.deleteNamed, { name: shown })}
          help={words.deleteHelp}
          keep={words.keep}
          isDisabled={isBusy}
          act={() => void during(() => removed(name))}
        />
      )}
    </div>
  )
}

async function removed(name: string): Promise<void> {
  if (await deleteModel(name)) note(filled(strings.value.models.deleted, { name }))
}
