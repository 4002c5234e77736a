// Serves the files of the documentation page: Swagger UI, and those in assets/.

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { staticPlugin } from '@elysiajs/static'
import { Elysia } from 'elysia'

/** Only these files of the package, which also contains source maps and its own page. */
const SWAGGER_UI_FILES = /[\\/](swagger-ui-bundle\.js|swagger-ui\.css|favicon-32x32\.png)$/

/** Neither the files of the page nor the document change while the server runs. */
export const isPartOfDocs = (path: string): boolean => path.startsWith('/docs/') || path === '/openapi.json'

export async function createDocsAssets(): Promise<Elysia> {
  const swaggerUi = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
  const own = fileURLToPath(new URL('./assets', import.meta.url))
  const served = {
    // Lists the files once at start, so that no request can name a path: no dotfiles, no links, no traversal.
    alwaysStatic: true,
    bundleHTML: false,
    indexHTML: false,
    // The plugin's ETags are unquoted, which RFC 9110 does not allow; server/static-cache.ts sets its own.
    etag: false,
  }
  const others = new RegExp(`^(?!.*${SWAGGER_UI_FILES.source})`)
  return new Elysia()
    .use(
      await staticPlugin({ ...served, assets: swaggerUi, prefix: '/docs/assets', ignorePatterns: [others] }),
    )
    .use(await staticPlugin({ ...served, assets: own, prefix: '/docs/page', ignorePatterns: [] }))
}
