// Groups captures by application: by its identifier, or by its name if there is no identifier.

import type { Kind } from '../../db/capture-facts.ts'
import { fold } from '../text/fold.ts'

/** `folded` is a name or an id. */
export const isOfApp = ({ appId, appName }: Kind, folded: string): boolean =>
  (appId !== null && fold(appId) === folded) || (appName !== null && fold(appName) === folded)

const foldedOrNull = (text: string | null): string | null =>
  text === null || text === '' ? null : fold(text)

/** One group per application; captures without an application form one group. */
export function groupsByApp<Sums extends { kind: Kind }>(kinds: Sums[]): Sums[][] {
  const idsByName = new Map<string, Set<string>>()
  for (const { kind } of kinds) {
    const [id, name] = [foldedOrNull(kind.appId), foldedOrNull(kind.appName)]
    if (id !== null && name !== null) idsByName.set(name, (idsByName.get(name) ?? new Set()).add(id))
  }
  const keyOf = ({ kind }: Sums): string => {
    const [id, name] = [foldedOrNull(kind.appId), foldedOrNull(kind.appName)]
    if (id !== null) return `id ${id}`
    if (name === null) return ''
    // A name without an id belongs to the application with that name, if there is only one.
    const ids = [...(idsByName.get(name) ?? [])]
    return ids.length === 1 ? `id ${ids[0]}` : `name ${name}`
  }
  return [...Map.groupBy(kinds, keyOf).values()]
}

export const isKnownApp = ({ kind }: { kind: Kind }): boolean =>
  foldedOrNull(kind.appId) !== null || foldedOrNull(kind.appName) !== null
