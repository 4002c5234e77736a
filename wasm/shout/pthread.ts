// A thread of shout: the globals that its script expects, then its script.

import './pthread-environment.ts'
import '@transcribe/shout/src/shout/shout.wasm.worker.mjs'
