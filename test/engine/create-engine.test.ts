// Runs the contract for every engine.

import { isQuick } from '../support/quick.ts'
import { engineContract } from './contract.ts'
import { ENGINES } from './engines.ts'

/** whisper.cpp's threads wait in a busy loop, which on a busy machine delays the threads that they wait for. */
const oneThread = 'whisper.cpp'

/** whisper.cpp takes most of two minutes. */
const tested = Object.entries(ENGINES).filter(([name]) => !isQuick || name !== oneThread)

for (const [name, create] of tested)
  engineContract(name, (options) => create({ ...options, threads: name === oneThread ? 1 : options.threads }))
