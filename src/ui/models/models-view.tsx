import { Heading } from '../parts/layout.tsx'
import { WhenLoaded } from '../parts/load.tsx'
import { strings } from '../strings/strings.ts'
import { Catalogue } from './catalogue.tsx'
import { InstalledModel } from './installed-model.tsx'
import { DownloadList } from './model-download.tsx'
import { type ModelState, useModels, useSpeeds } from './model-state.ts'
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
  const used = nameOfUsed(state)
  const here = state.models
    .filter(({ downloaded }) => downloaded)
    .toSorted((a, b) => Number(b.model_name === used) - Number(a.model_name === used))
  return (
    <div class="models">
      <DownloadList downloads={state.downloads} reload={reload} />
      <section aria-labelledby="models-here">
        <h2 id="models-here">{words.here}</h2>
        {here.length === 0 && <p>{words.noneHere}</p>}
        <ul class="plainlist stack">
          {here.map((model) => (
            <InstalledModel
              key={model.file}
              model={model}
              chosenBy={model.model_name === used ? state.health.default_model.chosen_by : null}
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
