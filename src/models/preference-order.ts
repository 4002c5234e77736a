// Which of the models on this disk hears where nobody names one: the one rule, best first.
// Knows names and sizes only; whether a file can be used is store.ts, how fast one is speed-record.ts.

import { byQuality, bySize, type CatalogueModel } from './catalogue.ts'
import type { Installed } from './installed.ts'

export type ModelCandidate = Installed & { catalogued: CatalogueModel }

/** What a choice goes by. */
export type Needs = {
  /** another language than English is to be heard, or to be translated: what knows English alone comes last */
  multilingual: boolean
}

/**
 * The largest first. Of one size what a person brought goes before what came with the server, since they had a reason;
 * then the better one. What came with the server and is too slow for this computer is the last resort. A file that
 * nobody published is taken only by its name.
 * @param isTooSlow of a model's name
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
