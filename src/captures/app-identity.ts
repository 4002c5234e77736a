// Which captures were spoken into the same application: by its identifier, and by its name where that is all there is.
// Listing the applications is apps.ts.

import type { Kind } from '../../db/capture-facts.ts'
import type { KindSums } from '../../db/statistics.ts'
import { fold } from '../text/fold.ts'

export type AppSums = {
  /** as it was told most often; both null: nobody told */
  appId: string | null
  appName: string | null
  captures: number
  words: number
  durationMs: number
  first: Date
  last: Date
}

/** `folded` is a name or an id. */
export const isOfApp = ({ appId, appName }: Kind, folded: string): boolean =>
  (appId !== null && fold(appId) === folded) || (appName !== null && fold(appName) === folded)

const foldedOrNull = (text: string | null): string | null =>
  text === null || text === '' ? null : fold(text)

/** One for each application; captures of which nobody told are one, too. The most used first. */
export function spokenInto(kinds: KindSums[]): AppSums[] {
  const idsByName = new Map<string, Set<string>>()
  for (const { kind } of kinds) {
    const [id, name] = [foldedOrNull(kind.appId), foldedOrNull(kind.appName)]
    if (id !== null && name !== null) idsByName.set(name, (idsByName.get(name) ?? new Set()).add(id))
  }
  const keyOf = ({ kind }: KindSums): string => {
    const [id, name] = [foldedOrNull(kind.appId), foldedOrNull(kind.appName)]
    if (id !== null) return `id ${id}`
    if (name === null) return ''
    // A name alone is the application that bears it, when there is only one.
    const ids = [...(idsByName.get(name) ?? [])]
    return ids.length === 1 ? `id ${ids[0]}` : `name ${name}`
  }
  return [...Map.groupBy(kinds, keyOf).values()]
    .map(sumsOfApp)
    .sort(
      (one, other) =>
        other.captures - one.captures || other.words - one.words || other.last.getTime() - one.last.getTime(),
    )
}

function sumsOfApp(kinds: KindSums[]): AppSums {
  // Where two are as frequent, that of the client which told more.
  const rank = ({ captures, kind }: KindSums) => 2 * captures + (kind.appId === null ? 0 : 1)
  const byUse = kinds.toSorted((one, other) => rank(other) - rank(one))
  const told = (name: (kind: Kind) => string | null) =>
    byUse.map(({ kind }) => name(kind)).find((text) => text !== null && text !== '') ?? null
  const sum = (what: 'captures' | 'words' | 'durationMs') =>
    kinds.reduce((total, one) => total + one[what], 0)
  return {
    appId: told(({ appId }) => appId),
    appName: told(({ appName }) => appName),
    ...{ captures: sum('captures'), words: sum('words'), durationMs: sum('durationMs') },
    first: new Date(Math.min(...kinds.map(({ first }) => first.getTime()))),
    last: new Date(Math.max(...kinds.map(({ last }) => last.getTime()))),
  }
}
