// Models are listed and downloaded by the server, or by the command itself if none is running.

import { readConfig } from '../../config.ts'
import { namedAddress, runningServer } from '../connection/connect.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'
import { localModels } from './local.ts'
import { serverModels } from './remote.ts'
import type { Source } from './source.ts'

export async function modelSource({ env, common, server }: Tools): Promise<Source> {
  if (namedAddress(env, common.server) !== null || (await runningServer(env)) !== null)
    return serverModels(server)
  const config = readConfig(env)
  if (!config.ok) throw new CommandFailure(config.failure, { code: 'invalid_settings' })
  return localModels(config.value)
}
