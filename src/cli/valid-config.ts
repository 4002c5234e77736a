// The settings of the server in the environment, for commands that work on its folder.

import { type Config, type Environment, readConfig } from '../config.ts'
import { CommandFailure } from './terminal/failure.ts'

/** @throws CommandFailure that names every invalid setting */
export function validConfig(env: Environment): Config {
  const config = readConfig(env)
  if (config.ok) return config.value
  throw new CommandFailure(config.failure, {
    code: 'invalid_settings',
    hint: 'dictation help environment lists them.',
  })
}
