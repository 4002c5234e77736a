// The path that a request asks for, as routes are written: a slash at the end means the same address.
// Which routes have it is route-table.ts.

export function routePath({ url }: Pick<Request, 'url'>): string {
  // A Host that is none leaves an address that is none.
  const pathname = URL.parse(url)?.pathname ?? ''
  return pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
}
