// The language and the model of the files that are added next.

import { useLoad } from '../parts/load.tsx'
import { modelName } from '../parts/model-names.ts'
import { LanguageOptions, loadRecognitionChoices } from '../parts/recognition-choices.tsx'
import { nameOfLanguage } from '../parts/spoken-languages.ts'
import { filled, strings } from '../strings/strings.ts'
import { fileLanguage, fileModel } from './file-fields.ts'

export const FileChoices = () => {
  const { value: known } = useLoad(loadRecognitionChoices)
  const { files, capture, captures, settings: words } = strings.value
  const asSet = (value: string | undefined, name: (value: string) => string) =>
    value === undefined || value === 'auto' ? words.automatic : filled(files.asSet, { name: name(value) })
  return (
    <div class="row filechoices">
      <label class="field">
        <span class="label">{captures.filterNames.language}</span>
        <select
          value={fileLanguage.value}
          onChange={({ currentTarget }) => (fileLanguage.value = currentTarget.value)}
        >
          <option value="">{asSet(known?.settings.language, nameOfLanguage)}</option>
          {known !== null && known.settings.language !== 'auto' && (
            <option value="auto">{capture.automatic}</option>
          )}
          <LanguageOptions />
        </select>
      </label>
      <label class="field">
        <span class="label">{captures.filterNames.model}</span>
        <select
          value={fileModel.value}
          onChange={({ currentTarget }) => (fileModel.value = currentTarget.value)}
        >
          <option value="">{asSet(known?.settings.stt_model, modelName)}</option>
          {known?.models.map(({ model_name }) => (
            <option key={model_name} value={model_name}>
              {modelName(model_name)}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
