// What a client may ask to be downloaded: a file of the catalogue, or any Whisper file of the hub by its full name.
// Decides what is wanted and under which name it will lie here; fetches nothing.

import { fail, type Result, succeed } from '../lib/result.ts'
import { CATALOGUE, type CatalogueModel } from './catalogue.ts'
import type { HubFile } from './hub-address.ts'
import { checkModelName, exactName, modelsCalled, modelToInstall, type UnknownModel } from './model-name.ts'

export type Downloadable = {
  /** names this one file and nothing else, now and after a restart */
  id: string
  /** what the model will be called once it is here */
  name: string
  /** its name in the models folder */
  file: string
  hub: HubFile
  /** null: the hub's own is taken */
  sha256: string | null
  /** null until the hub has told */
  bytes: number | null
}

/** `owner/repository/ggml-name.bin`; folders may stand before the file. */
const FULL_NAME =
  /^([a-z0-9][\w.-]{0,95}\/[a-z0-9][\w.-]{0,95})\/((?:[a-z0-9_][\w.-]*\/)*ggml-([a-z0-9][\w.-]{0,99})\.bin)$/i

const ofCatalogue = (model: CatalogueModel): Downloadable => ({
  id: exactName(model),
  name: model.name,
  file: model.file,
  hub: { repository: model.repository, revision: model.revision, path: model.file },
  sha256: model.sha256,
  bytes: model.bytes,
})

/** Many repositories hold nothing but `ggml-model.bin`, which says nothing: those are called as the repository is. */
const localName = (repository: string, stem: string): string =>
  stem
    .replace(/^model(?=$|[-.])/i, repository.split('/')[1] ?? '')
    .replace(/^ggml-/i, '')
    .toLowerCase()

function ofRepository(id: string, repository: string, path: string, stem: string) {
  const published = CATALOGUE.find((model) => model.repository === repository && model.file === path)
  if (published) return succeed(ofCatalogue(published))
  const name = localName(repository, stem)
  if (checkModelName(name).ok) {
    const message = `The file would be called ${name} here, which is the name of a published model; download it by hand and import it under a name of its own.`
    return fail<UnknownModel>({ code: 'unknown_model', message })
  }
  const hub = { repository, revision: 'main', path }
  return succeed<Downloadable>({ id, name, file: `ggml-${name}.bin`, hub, sha256: null, bytes: null })
}

/**
 * A size without a quantization is the file that is best to begin with.
 * @param name as a client writes it: `base`, `whisper-base`, `base.en-q5_1`, `owner/repository/ggml-name.bin`
 */
export function findDownloadable(name: string): Result<Downloadable, UnknownModel> {
  const [id, repository, path, stem] = FULL_NAME.exec(name.trim()) ?? []
  if (id && repository && path && stem) return ofRepository(id, repository, path, stem)
  const known = checkModelName(name)
  if (!known.ok) return known
  const model = modelToInstall(known.value === null ? recommended : modelsCalled(known.value))
  // Every name that the check lets pass is called by something.
  if (model === undefined) throw new Error(`no model is called ${known.value}`)
  return succeed(ofCatalogue(model))
}

/** Whoever leaves the choice to us may speak any language. */
const recommended = CATALOGUE.filter((model) => model.recommended && model.multilingual)
