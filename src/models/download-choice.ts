// Which file a client gets that asks for a model by a name, and whether it needs to be brought at all.
// Looks at the folders; brings nothing.

import { fail, type Result, succeed } from '../lib/result.ts'
import { type Downloadable, findDownloadable } from './downloadable.ts'
import type { ModelUnreadable } from './file-check.ts'
import { exactName, type UnknownModel } from './model-name.ts'
import type { ModelStore } from './store.ts'

export type ModelTooLarge = { code: 'model_too_large'; message: string }

export type ChoiceFailure = UnknownModel | ModelTooLarge | ModelUnreadable

/** `here`: the name of a model that can be used already; else what is to be brought. */
export type DownloadChoice = { here: string; wanted: null } | { here: null; wanted: Downloadable }

/** A file that is here but broken is brought again. A size without a quantization is served by any file of it. */
export async function chooseDownload(
  name: string,
  store: Pick<ModelStore, 'find' | 'resolve'>,
  maxModelBytes: number,
): Promise<Result<DownloadChoice, ChoiceFailure>> {
  const asked = findDownloadable(name)
  const isForeign = asked.ok && asked.value.sha256 === null
  const here =
    (await store.find(name)) ??
    (asked.ok ? await store.find(isForeign ? asked.value.file : asked.value.id) : null)
  if (here === null) return asked.ok ? fitting(asked.value, maxModelBytes) : asked
  const usable = await store.resolve(here.catalogued ? exactName(here.catalogued) : here.name)
  if (usable.ok) return succeed({ here: here.name, wanted: null })
  // Nobody publishes it under this name, so it cannot be brought again.
  if (!asked.ok) return fail({ code: 'model_unreadable', message: usable.failure.message })
  const broken =
    here.catalogued && here.bytes <= maxModelBytes ? findDownloadable(exactName(here.catalogued)) : asked
  return broken.ok ? fitting(broken.value, maxModelBytes) : broken
}

function fitting(wanted: Downloadable, maxModelBytes: number): Result<DownloadChoice, ModelTooLarge> {
  if (wanted.bytes === null || wanted.bytes <= maxModelBytes) return succeed({ here: null, wanted })
  const [has, most] = [wanted.bytes, maxModelBytes].map((count) => `${Math.floor(count / 1_000_000)} MB`)
  const message = `${wanted.file} is too large for the engine (${has}, it takes ${most}); ask for a quantized file of that model.`
  return fail({ code: 'model_too_large', message })
}
