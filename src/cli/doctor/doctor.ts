// dictation doctor: everything that a first use needs, with a fix for each that is wrong.

import { EXIT } from '../terminal/exit.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'
import type { Check } from './check.ts'
import {
  bunCheck,
  diskCheck,
  folderCheck,
  microphoneCheck,
  settingsCheck,
  threadsCheck,
  unsentCheck,
} from './local-checks.ts'
import { serverChecks } from './server-checks.ts'

export async function doctor(tools: Tools): Promise<number> {
  const checks = await allChecks(tools)
  const wrong = checks.filter(({ state }) => state === 'wrong').length
  tools.report.answer({ ok: wrong === 0, checks }, () => checks.map(linesOf).join('\n'))
  if (wrong === 0) return EXIT.done
  tools.report.note(`${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong.`)
  return EXIT.failed
}

async function allChecks(tools: Tools): Promise<Check[]> {
  const { env } = tools
  try {
    const config = validConfig(env)
    return [
      bunCheck(),
      settingsCheck(env),
      await folderCheck(config),
      await diskCheck(config),
      threadsCheck(config),
      ...(await serverChecks(tools, config)),
      microphoneCheck(),
      await unsentCheck(config),
    ]
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.code !== 'invalid_settings') throw error
    return [bunCheck(), { name: 'settings', state: 'wrong', what: error.message, fix: error.hint! }]
  }
}

const linesOf = ({ name, state, what, fix }: Check): string =>
  `${state.padEnd(7)}${name.padEnd(13)}${what}${fix === undefined ? '' : `\n${' '.repeat(7)}fix: ${fix}`}`
