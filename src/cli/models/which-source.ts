// Models are listed and downloaded by the server, or by the command itself if none is running.

import { namedAddress, runningServer } from '../connection/connect.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'
import { localModels } from './local.ts'
import { serverModels } from './remote.ts'
import type { Source } from './source.ts'

export async function modelSource({ env, common, server }: Tools): Promise<Source> {
  if (namedAddress(env, common.server) !== null || (await runningServer(env)) !== null)
    return serverModels(server)
  return localModels(validConfig(env))
}
