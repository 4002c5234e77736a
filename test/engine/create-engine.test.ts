// Runs the contract for every engine.

import { describe } from 'bun:test'
import { describeAtLength } from '../support/at-length.ts'
import { engineContract } from './contract.ts'
import { ENGINES } from './engines.ts'

/** Its threads wait in a busy loop, which on a busy machine delays the threads that they wait for. */
const WHISPER_CPP = 'whisper.cpp'

for (const [name, create] of Object.entries(ENGINES)) {
  const isSlow = name === WHISPER_CPP
  engineContract(
    name,
    (options) => create({ ...options, threads: isSlow ? 1 : options.threads }),
    isSlow ? describeAtLength : describe,
  )
}
