// The order of preference for the default model.

import { byQuality, bySize, type CatalogueModel } from './catalogue.ts'
import type { Installed } from './installed.ts'

export type ModelCandidate = Installed & { catalogued: CatalogueModel }

/** Requirements of a request. */
export type Needs = {
  /** for languages other than English, and translation: English-only models come last */
  multilingual: boolean
}

/**
 * Largest first. Within a size, models installed by the user come before bundled ones, then the better one. Bundled
 * models that are too slow for this computer come last. Files outside the catalogue are used only by name.
 * @param isTooSlow takes a model's name
 */
export const inOrderOfPreference = (
  on: readonly Installed[],
  isTooSlow: (name: string) => boolean,
  needs: Needs = { multilingual: false },
): ModelCandidate[] => {
  const comesLast = ({ bundled, name }: ModelCandidate) => bundled && isTooSlow(name)
  const cannot = ({ catalogued }: ModelCandidate) => needs.multilingual && !catalogued.multilingual
  return on
    .filter((model): model is ModelCandidate => model.catalogued !== null)
    .toSorted(
      (one, other) =>
        Number(cannot(one)) - Number(cannot(other)) ||
        Number(comesLast(one)) - Number(comesLast(other)) ||
        bySize(one.catalogued, other.catalogued) ||
        Number(one.bundled) - Number(other.bundled) ||
        byQuality(one.catalogued, other.catalogued),
    )
}
