// Which route a path belongs to, by its template: for what is counted by route.
// Routing itself is Elysia's.

import type { Contract } from './route.ts'

/** The template of the path, as `/captures/{id}`; null where no route is meant. */
export function createRouteNamer(contracts: readonly Pick<Contract, 'path'>[]) {
  const templates = [...new Set(contracts.map(({ path }) => path))]
  const plain = new Set(templates.filter((template) => !template.includes('{')))
  const byLength = Map.groupBy(
    templates.filter((template) => template.includes('{')).map((path) => ({ path, parts: path.split('/') })),
    ({ parts }) => parts.length,
  )
  return (path: string): string | null => {
    if (plain.has(path)) return path
    const parts = path.split('/')
    const found = byLength
      .get(parts.length)
      ?.find((one) => one.parts.every((part, at) => part.startsWith('{') || part === parts[at]))
    return found?.path ?? null
  }
}
