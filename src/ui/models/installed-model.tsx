import { useState } from 'preact/hooks'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { modelName, precisionName } from '../parts/model-names.ts'
import { announce, note } from '../parts/toasts.tsx'
import type { ListedModel, ServerHealth } from '../server/wire.ts'
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
  /** why it is the active model; null: it is not */
  chosenBy: ServerHealth['default_model']['chosen_by']
  speed: number | null
  reload: () => Promise<void>
}

export const InstalledModel = (installed: Installed) => {
  const { model, chosenBy, speed } = installed
  const isInUse = chosenBy !== null
  const { models: words } = strings.value
  const times = timesRealTime(speed)
  return (
    <li class={isInUse ? 'card model used' : 'card model'}>
      <div class="row">
        <h3>{modelName(model.model_name)}</h3>
        {isInUse && <span class="badge strong">{words.inUse}</span>}
        {model.recommended && <span class="badge">{words.recommended}</span>}
        {model.bundled && <span class="badge">{words.bundled}</span>}
        {model.loaded && <span class="badge">{words.loaded}</span>}
      </div>
      {chosenBy && <p class="muted">{words.chosenBy[chosenBy]}</p>}
      <dl class="facts">
        <Fact name={words.languages} value={languagesOf(model)} />
        <Fact name={words.size} value={sizeOf(model)} />
        <Fact name={words.precision} value={precisionName(model.quantization) ?? words.ownFile} />
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

const Actions = ({ model, chosenBy, reload }: Installed) => {
  const { models: words } = strings.value
  const { model_name: name } = model
  const shown = modelName(name)
  const [isBusy, setBusy] = useState(false)
  const during = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work()
    await reload()
    setBusy(false)
  }
  const chooseAutomatically = async () => {
    if (await activateModel('auto')) note(words.automaticNow)
  }
  const use = async () => {
    if (await activateModel(name)) announce(filled(words.used, { name: shown }))
  }
  return (
    <div class="row">
      {chosenBy === null && (
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
      {chosenBy === 'setting' && (
        <button type="button" disabled={isBusy} onClick={() => void during(chooseAutomatically)}>
          {words.automatic}
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
  if (await deleteModel(name)) note(filled(strings.value.models.deleted, { name: modelName(name) }))
}
