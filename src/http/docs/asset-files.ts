// The files that the documentation page is made of, from the disk: Swagger UI, and what lies in assets/.
// The page itself is page.ts.

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { staticPlugin } from '@elysiajs/static'
import { Elysia } from 'elysia'

/** Exactly these files of the package: it also carries source maps and a page of its own. */
const SWAGGER_UI_FILES = /[\\/](swagger-ui-bundle\.js|swagger-ui\.css|favicon-32x32\.png)$/

/** What the page is made of and the document do not change while the server runs. */
export const isPartOfDocs = (path: string): boolean => path.startsWith('/docs/') || path === '/openapi.json'

/** An app of the files that the page is made of. */
export async function createDocsAssets(): Promise<Elysia> {
  const swaggerUi = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
  const own = fileURLToPath(new URL('./assets', import.meta.url))
  const served = {
    // Listed once at the start, so that no request ever names a file: no dotfiles, no links, no traversal.
    alwaysStatic: true,
    bundleHTML: false,
    indexHTML: false,
    // Its ETags are unquoted, which RFC 9110 does not allow; server/packed.ts makes its own.
    etag: false,
  }
  const others = new RegExp(`^(?!.*${SWAGGER_UI_FILES.source})`)
  return new Elysia()
    .use(
      await staticPlugin({ ...served, assets: swaggerUi, prefix: '/docs/assets', ignorePatterns: [others] }),
    )
    .use(await staticPlugin({ ...served, assets: own, prefix: '/docs/page', ignorePatterns: [] }))
}
