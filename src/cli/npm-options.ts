// Detects options that npm consumed: `npm run import FOLDER --dry-run`, without `--` before the options, passes only
// FOLDER to the script. Most are left in the environment, next to the values of .npmrc; others (--format) leave no
// trace.

import { spawnSync } from 'node:child_process'
import type { Environment } from '../config.ts'
import type { OptionSpecs } from './option-specs.ts'

/** Whether npm started this very command: child processes inherit the environment. */
export const isNpmScript = (script: string | undefined, env: Environment): boolean =>
  script !== undefined && env.npm_lifecycle_event === script

/** The hint of every usage error then: the value of a consumed option looks like a missing file. */
export const npmHint = (script: string): string =>
  `With npm, put options after "--": npm run ${script} -- PATH --option value`

/** An error message if options are missing that were certainly given. */
export function takenByNpm(
  options: OptionSpecs,
  given: Readonly<Record<string, unknown>>,
  env: Environment,
): string | null {
  const isTaken = (name: string) => {
    const held = env[variableOf(name)]
    return Boolean(held) && held !== configured(name, env)
  }
  const taken = Object.entries(options).flatMap(([name, { short }]) => {
    if (name === 'help' || given[name] !== undefined) return []
    if (isTaken(name)) return [`--${name}`]
    return short !== undefined && isTaken(short) ? [`-${short}`] : []
  })
  if (taken.length === 0) return null
  return `npm took ${taken.join(', ')} as its own options, so nothing was done.`
}

const variableOf = (option: string): string => `npm_config_${option.replaceAll('-', '_')}`

/** npm's own value without its command line: the environment does not distinguish the two. */
function configured(option: string, env: Environment): string {
  const { npm_node_execpath: node, npm_execpath: npm } = env
  if (node === undefined || npm === undefined) return ''
  const without = { ...env, [variableOf(option)]: undefined }
  return spawnSync(node, [npm, 'config', 'get', option], { env: without, encoding: 'utf8' }).stdout.trim()
}
