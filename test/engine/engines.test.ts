// Runs the contract over every engine.
// Holds no expectation of its own.

import { engineContract } from './contract.ts'
import { ENGINES } from './engines.ts'

for (const [name, create] of Object.entries(ENGINES)) engineContract(name, create)
