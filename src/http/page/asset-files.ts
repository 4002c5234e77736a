// Serves the files of the page at `/`, which `npm run page` builds from src/ui.

import { staticPlugin } from '@elysiajs/static'
import { Elysia } from 'elysia'
import { ownFile } from '../../lib/own-files.ts'

const BUILT = ownFile('src/ui/built')

export const PAGE_FILE = Bun.file(`${BUILT}/index.html`)

/** These files do not change while the server runs. */
export const isPartOfPage = (path: string): boolean => path.startsWith('/page/')

export async function createPageAssets(): Promise<Elysia> {
  const served = {
    // Lists the files once at start, so that no request can name a path: no dotfiles, no links, no traversal.
    alwaysStatic: true,
    bundleHTML: false,
    indexHTML: false,
    // The plugin's ETags are unquoted, which RFC 9110 does not allow; server/file-response.ts sets its own.
    etag: false,
  }
  return new Elysia().use(
    await staticPlugin({ ...served, assets: BUILT, prefix: '/page', ignorePatterns: [/index\.html$/] }),
  )
}
