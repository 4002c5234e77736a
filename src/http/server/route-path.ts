/** The path of a request as routes are written, without a trailing slash. */
export function routePath({ url }: Pick<Request, 'url'>): string {
  // An invalid Host header makes the URL invalid.
  const pathname = URL.parse(url)?.pathname ?? ''
  return pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
}
