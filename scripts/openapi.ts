// npm run openapi: writes openapi.json, the document of a server with default settings. It is committed so that reviews
// show changes of the contract; a test compares it with the code.

import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { type AppDependencies, createRoutes, WEBHOOKS } from '../src/app.ts'
import { composeApp } from '../src/http/compose-app.ts'
import { silentLog } from '../src/lib/log.ts'
import { optionsOrExit } from './options.ts'

export const OPENAPI_FILE = fileURLToPath(new URL('../openapi.json', import.meta.url))

/** The expected content of the file. */
export async function openApiText(): Promise<string> {
  // Routes are only declared and never called, so they need no dependencies.
  const routes = createRoutes({} as AppDependencies)
  const config = { port: 17_493, token: null, users: 'own' as const, origins: [] }
  const options = { config, log: silentLog, version: packageJson.version, webhooks: WEBHOOKS }
  const app = await composeApp(routes, options)
  return `${JSON.stringify(await app.document(), null, 2)}\n`
}

if (import.meta.main) {
  optionsOrExit(
    {},
    'usage: npm run openapi\nWrites openapi.json, the document of a server with default settings.',
  )
  await Bun.write(OPENAPI_FILE, await openApiText())
  console.log(`wrote ${OPENAPI_FILE}`)
}
