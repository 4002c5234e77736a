// Maps a requested model name to a file, and decides whether it must be downloaded.

import { fail, type Result, succeed } from '../lib/result.ts'
import { type Downloadable, findDownloadable } from './downloadable.ts'
import type { ModelUnreadable } from './file-check.ts'
import { exactName, type UnknownModel } from './model-name.ts'
import type { ModelStore } from './store.ts'

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
  const asked = findDownloadable(name)
  const isForeign = asked.ok && asked.value.sha256 === null
  const here =
    (await store.find(name)) ??
    (asked.ok ? await store.find(isForeign ? asked.value.file : asked.value.id) : null)
  if (here === null) return asked.ok ? fitting(asked.value, maxModelBytes) : asked
  const usable = await store.resolve(here.catalogued ? exactName(here.catalogued) : here.name)
  if (usable.ok) return succeed({ here: here.name, wanted: null })
  // Not a published name, so it cannot be downloaded again.
  if (!asked.ok) return fail({ code: 'model_unreadable', message: usable.failure.message })
  const broken =
    here.catalogued && here.bytes <= maxModelBytes ? findDownloadable(exactName(here.catalogued)) : asked
  return broken.ok ? fitting(broken.value, maxModelBytes) : broken
}

function fitting(wanted: Downloadable, maxModelBytes: number): Result<DownloadChoice, ModelTooLarge> {
  if (wanted.bytes === null || wanted.bytes <= maxModelBytes) return succeed({ here: null, wanted })
  const [has, most] = [wanted.bytes, maxModelBytes].map((count) => `${Math.floor(count / 1_000_000)} MB`)
  const message = `${wanted.file} is too large for the engine (${has}; the limit is ${most}). Request a quantized file of that model.`
  return fail({ code: 'model_too_large', message })
}
