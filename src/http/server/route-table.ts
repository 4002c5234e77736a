// Finds the routes of a path, for 404 and 405 responses, suggestions and metrics. Elysia does the actual routing.

type Listed = { method: string; path: string }

export type RouteTable = {
  /** the routes with exactly this address, else those whose template matches, such as `/captures/{id}`, in order */
  at(path: string): readonly Listed[]
  addresses: readonly string[]
}

export function createRouteTable(routes: readonly Listed[]): RouteTable {
  const byAddress = Map.groupBy(routes, ({ path }) => path)
  const addresses = [...byAddress.keys()]
  const templates = Map.groupBy(
    addresses.filter((address) => address.includes('{')).map((address) => address.split('/')),
    ({ length }) => length,
  )
  return {
    addresses,
    at(path) {
      // `/captures/export` is a separate address, and not the capture with the id "export".
      const exact = byAddress.get(path)
      if (exact) return exact
      const parts = path.split('/')
      const fitting = templates.get(parts.length)?.filter((template) => fits(template, parts)) ?? []
      return fitting.flatMap((template) => byAddress.get(template.join('/')) ?? [])
    },
  }
}

const fits = (template: readonly string[], parts: readonly string[]): boolean =>
  template.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at]))
