// The files that the page at `/` loads, from the disk: what `npm run page` made of src/ui.
// The page itself is root.ts.

import { fileURLToPath } from 'node:url'
import { staticPlugin } from '@elysiajs/static'
import { Elysia } from 'elysia'

const BUILT = fileURLToPath(new URL('../../ui/built', import.meta.url))

export const PAGE_FILE = Bun.file(`${BUILT}/index.html`)

/** They do not change while the server runs. */
export const isPartOfPage = (path: string): boolean => path.startsWith('/page/')

/** An app of the files that the page loads. */
export async function createPageAssets(): Promise<Elysia> {
  const served = {
    // Listed once at the start, so that no request ever names a file: no dotfiles, no links, no traversal.
    alwaysStatic: true,
    bundleHTML: false,
    indexHTML: false,
    // Its ETags are unquoted, which RFC 9110 does not allow; server/packed.ts makes its own.
    etag: false,
  }
  return new Elysia().use(
    await staticPlugin({ ...served, assets: BUILT, prefix: '/page', ignorePatterns: [/index\.html$/] }),
  )
}
