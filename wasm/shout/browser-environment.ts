// Makes Bun look enough like a browser's worker for shout's Emscripten build to run its threads. It changes globals, so only
// the process that runs shout may use it.

import { ownFile } from '../../src/lib/own-files.ts'

/** Emscripten recognises a pthread by this name, and Bun leaves `name` undefined in workers. */
const PTHREAD_NAME = 'em-pthread'

const PTHREAD_SCRIPT = ownFile('wasm/shout/pthread.ts')

type BrowserScope = { WorkerGlobalScope?: unknown; name?: string; Worker: typeof Worker }

const scope = globalThis as unknown as BrowserScope

export const markAsPthread = () => {
  scope.WorkerGlobalScope ??= class WorkerGlobalScope {}
  scope.name = PTHREAD_NAME
}

/** Prepares every worker that this process starts from now on as a thread of shout. */
export const prepareForShout = () => {
  scope.WorkerGlobalScope ??= class WorkerGlobalScope {}
  const PlainWorker = scope.Worker
  scope.Worker = class extends PlainWorker {
    constructor(_script: string | URL, options: WorkerOptions = {}) {
      super(PTHREAD_SCRIPT, options)
    }
  }
}
