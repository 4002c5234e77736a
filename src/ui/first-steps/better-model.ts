// Finds a model that is more accurate than the bundled ones, with its size, download state and expected speed here.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { remember, remembered } from '../browser-storage.ts'
import { type LoadState, useLoad } from '../parts/load.tsx'
import { note } from '../parts/toasts.tsx'
import { onServerEvent } from '../server/connection.ts'
import { request } from '../server/request.ts'
import type { ListedModel, ModelList } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'

const KEPT = 'first-steps.model'

/** Stored permanently in this browser. */
export const isOfferDismissed = signal(remembered(KEPT) === 'dismissed')

export function dismissOffer(): void {
  remember(KEPT, 'dismissed')
  isOfferDismissed.value = true
}

export type BetterModel = {
  /** null if one is installed already, or if no better model is known */
  model: ListedModel | null
  /** all known models, for comparison */
  all: ListedModel[]
  /** a recommended model is installed */
  isHere: boolean
}

/** Progress events arrive several times a second. */
const PROGRESS_MS = 1000

/** @param usedModel the model whose languages are sufficient; null: any language */
export function useBetterModel(usedModel: string | null): LoadState<BetterModel> {
  const loaded = useLoad(
    async (signal): Promise<BetterModel> => {
      const { models } = await request<ModelList>('/models/status', { signal })
      const all = models.filter(({ alias_of }) => alias_of === null)
      const better = all.filter(({ recommended, bundled }) => recommended && !bundled)
      const isEnglish = usedModel?.includes('.en') ?? false
      const wanted = better.find(({ multilingual }) => multilingual !== isEnglish) ?? better[0] ?? null
      const isHere = better.some(({ downloaded }) => downloaded)
      return { all, model: wanted, isHere }
    },
    [usedModel],
  )
  const { reload } = loaded
  useEffect(() => {
    let loadedAt = 0
    return onServerEvent((event) => {
      if (event.name !== 'model.progress') return
      if (event.status === 'error') note(strings.value.firstSteps.failed, { isFault: true })
      const isOften = performance.now() - loadedAt < PROGRESS_MS
      if (event.status === 'downloading' && isOften) return
      loadedAt = performance.now()
      void reload()
    })
  }, [reload])
  return loaded
}
