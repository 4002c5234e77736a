// Files that a client may download: those of the catalogue, or any Whisper file of the hub by its full name.

import { fail, type Result, succeed } from '../lib/result.ts'
import {
  CATALOGUE,
  type CatalogueModel,
  checkModelName,
  exactName,
  modelsCalled,
  modelToInstall,
  type UnknownModel,
} from './catalogue.ts'
import type { ModelUnreadable } from './file-check.ts'
import type { HubFile } from './hub.ts'
import type { ModelStore } from './store.ts'

export type Downloadable = {
  /** unique and stable across restarts */
  id: string
  /** the model's name once installed */
  name: string
  /** its name in the models folder */
  file: string
  hub: HubFile
  /** null: use the hub's */
  sha256: string | null
  /** null until the hub has reported it */
  bytes: number | null
}

/** `owner/repository/ggml-name.bin`, optionally with folders. */
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

/** Many repositories contain only `ggml-model.bin`; their model gets the repository's name. */
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
    const message = `The file would be installed as ${name}, which is the name of a published model. Download it manually and import it under another name.`
    return fail<UnknownModel>({ code: 'unknown_model', message })
  }
  const hub = { repository, revision: 'main', path }
  return succeed<Downloadable>({ id, name, file: `ggml-${name}.bin`, hub, sha256: null, bytes: null })
}

/**
 * A size without a quantization results in the smallest file.
 * @param name as sent by the client: `base`, `whisper-base`, `base.en-q5_1`, `owner/repository/ggml-name.bin`
 */
export function findDownloadable(name: string): Result<Downloadable, UnknownModel> {
  const [id, repository, path, stem] = FULL_NAME.exec(name.trim()) ?? []
  if (id && repository && path && stem) return ofRepository(id, repository, path, stem)
  const known = checkModelName(name)
  if (!known.ok) return known
  const model = modelToInstall(known.value === null ? recommended : modelsCalled(known.value))
  // checkModelName accepts only names of existing models.
  if (model === undefined) throw new Error(`no model is called ${known.value}`)
  return succeed(ofCatalogue(model))
}

/** A client that names no model may use any language. */
const recommended = CATALOGUE.filter((model) => model.recommended && model.multilingual)

export type ModelTooLarge = { code: 'model_too_large'; message: string }

export type ChoiceFailure = UnknownModel | ModelTooLarge | ModelUnreadable

/** `here`: name of a usable installed model; otherwise `wanted` is the file to download. */
export type DownloadChoice = { here: string; wanted: null } | { here: null; wanted: Downloadable }

/** A broken file is downloaded again. A size without a quantization matches any file of that size. */
export async function chooseDownload(
  name: string,
  store: Pick<ModelStore, 'find' | 'resolve'>,
  maxModelBytes: number,
): Promise<Result<DownloadChoice, ChoiceFailure>> {
  const requested = findDownloadable(name)
  const isForeign = requested.ok && requested.value.sha256 === null
  const here =
    (await store.find(name)) ??
    (requested.ok ? await store.find(isForeign ? requested.value.file : requested.value.id) : null)
  if (here === null) return requested.ok ? fitting(requested.value, maxModelBytes) : requested
  const usable = await store.resolve(here.catalogued ? exactName(here.catalogued) : here.name)
  if (usable.ok) return succeed({ here: here.name, wanted: null })
  // Not a published name, so it cannot be downloaded again.
  if (!requested.ok) return fail({ code: 'model_unreadable', message: usable.failure.message })
  const broken =
    here.catalogued && here.bytes <= maxModelBytes ? findDownloadable(exactName(here.catalogued)) : requested
  return broken.ok ? fitting(broken.value, maxModelBytes) : broken
}

function fitting(wanted: Downloadable, maxModelBytes: number): Result<DownloadChoice, ModelTooLarge> {
  if (wanted.bytes === null || wanted.bytes <= maxModelBytes) return succeed({ here: null, wanted })
  const [has, most] = [wanted.bytes, maxModelBytes].map((count) => `${Math.floor(count / 1_000_000)} MB`)
  const message = `${wanted.file} is too large for the engine (${has}; the limit is ${most}). Request a quantized file of that model.`
  return fail({ code: 'model_too_large', message })
}
