// Prepares the embedded Postgres before it is opened: compiles it, and loads the modules of its thread. Both take a core
// about as long as another core takes to load our own modules.

import { ownFile, readOwnFileSync } from '../src/lib/own-files.ts'

export type EmbeddedStart = {
  /** opening the database reports a failure of the compilation */
  module: Promise<WebAssembly.Module>
  /** a thread for embedded-postgres.ts; the first one has been started already */
  thread(): Worker
}

export function prepareEmbedded(): EmbeddedStart {
  // Reads synchronously: an event would arrive only after all other modules are loaded.
  const module = WebAssembly.compile(readOwnFileSync('node_modules/@electric-sql/pglite/pglite.wasm'))
  module.catch(() => {})
  const newThread = () => new Worker(ownFile('db/embedded-thread.ts'))
  let spare: Worker | null = newThread()
  return {
    module,
    thread() {
      const thread = spare ?? newThread()
      spare = null
      return thread
    },
  }
}
