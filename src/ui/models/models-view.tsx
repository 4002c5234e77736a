import { Heading } from '../parts/layout.tsx'
import { WhenLoaded } from '../parts/load.tsx'
import { note } from '../parts/toasts.tsx'
import { strings } from '../strings/strings.ts'
import { Catalogue } from './catalogue.tsx'
import { InstalledModel } from './installed-model.tsx'
import { DownloadList } from './model-download.tsx'
import { activateModel, type ModelState, useModels, useSpeeds } from './model-state.ts'
import { UploadModel } from './upload-model.tsx'

export const ModelsView = () => {
  const models = useModels()
  return (
    <>
      <Heading text={strings.value.views.models} />
      <WhenLoaded of={models}>{(state) => <Models state={state} reload={models.reload} />}</WhenLoaded>
    </>
  )
}

type Part = { state: ModelState; reload: () => Promise<void> }

const Models = ({ state, reload }: Part) => {
  const { models: words } = strings.value
  const speeds = useSpeeds(state)
  const here = state.models.filter(({ downloaded }) => downloaded)
  return (
    <div class="models">
      <ActiveModel state={state} reload={reload} />
      <DownloadList downloads={state.downloads} reload={reload} />
      <section aria-labelledby="models-here">
        <h2 id="models-here">{words.here}</h2>
        {here.length === 0 && <p class="muted">{words.noneHere}</p>}
        <ul class="plainlist stack">
          {here.map((model) => (
            <InstalledModel
              key={model.file}
              model={model}
              isInUse={model.model_name === nameOfUsed(state)}
              speed={speeds.get(model.model_name) ?? null}
              reload={reload}
            />
          ))}
        </ul>
      </section>
      <Catalogue models={state.models} reload={reload} />
      <UploadModel reload={reload} />
    </div>
  )
}

/** The name of the active model in the list, where the full-precision file of a size has the bare name. */
function nameOfUsed({ models, health }: ModelState): string | null {
  const name = health.default_model.model_name
  const used = models.find(({ model_name }) => model_name === name || model_name === `${name}-f16`)
  return used?.model_name ?? null
}

const ActiveModel = ({ state, reload }: Part) => {
  const { models: words } = strings.value
  const { model_name: name, chosen_by: chosenBy } = state.health.default_model
  const used = state.models.find(({ model_name }) => model_name === nameOfUsed(state))
  const chooseAutomatically = async () => {
    if (await activateModel('auto')) note(words.automaticNow)
    await reload()
  }
  return (
    <section class="card hears" aria-labelledby="models-hears">
      <h2 id="models-hears">{words.hears}</h2>
      {name === null ? (
        <p>{words.hearsNothing}</p>
      ) : (
        <p>
          <strong>{used?.display_name ?? name}</strong>{' '}
          <span class="muted">{chosenBy && words.chosenBy[chosenBy]}</span>
        </p>
      )}
      {chosenBy === 'setting' && (
        <button type="button" onClick={() => void chooseAutomatically()}>
          {words.automatic}
        </button>
      )}
    </section>
  )
}
