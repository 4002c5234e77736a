// Options that npm took for itself: `npm run import FOLDER --dry-run`, without the -- before them, hands the script
// nothing but FOLDER. Most stand in the environment, beside what .npmrc says; of others (--format) nothing is left.
// What options there are is the script's.

import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'
import type { Options } from './options.ts'

type Environment = Record<string, string | undefined>

/** Null where npm did not start this very script: what it starts inherits the environment. */
const npmScript = (env: Environment): string | null =>
  env.npm_lifecycle_event === basename(process.argv[1] ?? '', '.ts') ? env.npm_lifecycle_event : null

/** Behind any complaint: a value whose option is gone looks like a file that is not there. */
export function npmHint(env: Environment = process.env): string {
  const script = npmScript(env)
  return script === null ? '' : `\nWith npm, put options after "--": npm run ${script} -- PATH --option value`
}

/** What is wrong, where options are missing that were surely given. */
export function takenByNpm(
  options: Options,
  given: Record<string, unknown>,
  env: Environment = process.env,
): string | null {
  if (npmScript(env) === null) return null
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
  return `npm took ${taken.join(', ')} for itself, and nothing was done.`
}

const variableOf = (option: string): string => `npm_config_${option.replaceAll('-', '_')}`

/** What npm holds without its command line: the environment has both, and does not tell them apart. */
function configured(option: string, env: Environment): string {
  const { npm_node_execpath: node, npm_execpath: npm } = env
  if (node === undefined || npm === undefined) return ''
  const without = { ...env, [variableOf(option)]: undefined }
  return spawnSync(node, [npm, 'config', 'get', option], { env: without, encoding: 'utf8' }).stdout.trim()
}
