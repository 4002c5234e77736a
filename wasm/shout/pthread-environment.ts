// The globals of a thread of shout: its browser shim, and the receiver of its results.

import { markAsPthread } from './browser-environment.ts'
import { readScriptCall } from './script-call.ts'

markAsPthread()

// shout returns its results by evaluating a script that it concatenates. A line break within a token would make the script
// invalid and lose the result, so it is parsed as data. It is also never run as code.
globalThis.eval = (script: string) => {
  const call = readScriptCall(script)
  if (!call) throw new Error('shout wrote a result that cannot be read')
  postMessage({ cmd: 'callHandler', handler: call.handler, args: call.args })
}
