// Runs first in every thread of shout: its browser shim, and the way its results come out.
// Knows nothing of speech; script-call.ts reads what shout wrote.

import { markAsPthread } from './browser-environment.ts'
import { readScriptCall } from './script-call.ts'

markAsPthread()

// shout hands over its results by evaluating a script it wrote by hand. One line break within a token makes
// that script invalid and the answer never comes; read as data, it always does. It is not run as code either.
globalThis.eval = (script: string) => {
  const call = readScriptCall(script)
  if (!call) throw new Error('shout wrote a result that cannot be read')
  postMessage({ cmd: 'callHandler', handler: call.handler, args: call.args })
}
