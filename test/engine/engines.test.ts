// Runs the contract for every engine.

import { engineContract } from './contract.ts'
import { ENGINES } from './engines.ts'

/** whisper.cpp's threads wait in a busy loop, which on a busy machine delays the threads that they wait for. */
const oneThread = 'whisper.cpp'

for (const [name, create] of Object.entries(ENGINES))
  engineContract(name, (options) => create({ ...options, threads: name === oneThread ? 1 : options.threads }))
