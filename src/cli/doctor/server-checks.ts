// Checks of the server, or of its port if none runs.

import { createServer } from 'node:net'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config.ts'
import type { WireHealth } from '../../http/service/health.ts'
import { namedAddress, runningServer } from '../connection/connect.ts'
import { whereTokenIsRead } from '../connection/sent-token.ts'
import { ServerFailure } from '../connection/server-client.ts'
import { localModels } from '../models/local.ts'
import type { Tools } from '../tools.ts'
import type { Check } from './check.ts'

export async function serverChecks(tools: Tools, config: Config): Promise<Check[]> {
  const { env, common } = tools
  const url = namedAddress(env, common.server) ?? (await runningServer(env))
  if (url === null) return [await portCheck(config), await installedModelCheck(config)]
  try {
    const health = await tools.server.request<WireHealth>('GET', '/health')
    return [healthCheck(url, health), modelCheck(health), await tokenCheck(tools)]
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error
    return [
      { name: 'server', state: 'wrong', what: error.message, fix: error.hint ?? 'dictation server start' },
    ]
  }
}

function healthCheck(url: string, { version, status }: WireHealth): Check {
  const what = `runs at ${url}, version ${version}`
  const fix = 'dictation server stop, then dictation server start'
  if (status === 'degraded')
    return {
      name: 'server',
      state: 'wrong',
      what: `${what}; its engine or its database does not respond`,
      fix,
    }
  if (version !== packageJson.version)
    return { name: 'server', state: 'wrong', what: `${what}; this command is ${packageJson.version}`, fix }
  return { name: 'server', state: 'ok', what }
}

function modelCheck({ default_model: { model_name, real_time_factor } }: WireHealth): Check {
  if (model_name === null) return NO_MODEL
  if (real_time_factor === null || real_time_factor < 1)
    return { name: 'model', state: 'ok', what: model_name }
  const what = `${model_name} needs ${real_time_factor.toFixed(1)} s for a second of speech`
  return { name: 'model', state: 'note', what, fix: 'A smaller one is faster: dictation models use tiny.en' }
}

const NO_MODEL: Check = {
  name: 'model',
  state: 'wrong',
  what: 'none is installed',
  fix: 'dictation models pull base',
}

async function installedModelCheck(config: Config): Promise<Check> {
  const models = (await (await localModels(config)).list()).filter(({ downloaded }) => downloaded)
  if (models.length === 0) return NO_MODEL
  return { name: 'model', state: 'ok', what: `installed: ${models.map(({ name }) => name).join(', ')}` }
}

async function tokenCheck({ server, env }: Tools): Promise<Check> {
  try {
    await server.request('GET', '/settings/captures')
    return { name: 'token', state: 'ok', what: 'the server accepts this command' }
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error
    return { name: 'token', state: 'wrong', what: error.message, fix: whereTokenIsRead(env) }
  }
}

async function portCheck({ port, hosts }: Config): Promise<Check> {
  const fault = await listenFault(port, hosts[0]!)
  if (fault === null) return { name: 'server', state: 'ok', what: `does not run; port ${port} is free` }
  const what = `does not run, and port ${port} cannot be used: ${fault}`
  return { name: 'server', state: 'wrong', what, fix: `End the other program, or set PORT=${port + 1}` }
}

const listenFault = (port: number, host: string): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
