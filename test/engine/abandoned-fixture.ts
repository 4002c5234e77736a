// Starts an engine, gives it a window and prints its process id. contract.ts runs it with an engine's name, and kills it.

import { silentLog } from '../../src/lib/log.ts'
import { samplesOf } from '../support/flac.ts'
import { bundledModel } from '../support/ggml.ts'
import { ENGINES } from './engines.ts'

let pid = 0
const debug = (fields: object) => {
  if ('pid' in fields) pid = Number(fields.pid)
}
const engine = ENGINES[process.argv[2]!]!({ threads: 2, log: { ...silentLog, debug } })
await engine.transcribe({
  model: bundledModel,
  samples: await samplesOf('human-4.flac'),
  language: 'en',
  task: 'transcribe',
  prompt: null,
  signal: new AbortController().signal,
  onProgress: () => console.log(pid),
})
// Waits to be killed, even if the window is finished.
setInterval(() => {}, 60_000)
