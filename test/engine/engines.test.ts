// Runs the contract over every engine.
// Holds no expectation of its own.

import { engineContract } from './contract.ts'
import { ENGINES } from './engines.ts'

/** The threads of whisper.cpp wait in a loop, which takes the time on a busy machine from those that they wait for. */
const oneThread = 'whisper.cpp'

for (const [name, create] of Object.entries(ENGINES))
  engineContract(name, (options) => create({ ...options, threads: name === oneThread ? 1 : options.threads }))
