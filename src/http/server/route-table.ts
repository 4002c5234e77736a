// Which routes an address has: the one look-up of a path, for what is refused, suggested and counted.
// Handing a request to its handler is Elysia's.

type Listed = { method: string; path: string }

export type RouteTable = {
  /** those of the address itself, else those whose template the path fits, as `/captures/{id}`, in their order */
  at(path: string): readonly Listed[]
  /** all addresses there are */
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
      // `/captures/export` is an address of its own, and not the capture called "export".
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
