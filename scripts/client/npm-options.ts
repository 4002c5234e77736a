// Detects options that npm consumed: `npm run import FOLDER --dry-run`, without `--` before the options, passes only
// FOLDER to the script. Most are left in the environment, next to the values of .npmrc; others (--format) leave no
// trace.

import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'
import type { Options } from './options.ts'

type Environment = Record<string, string | undefined>

/** Null unless npm started this very script: child processes inherit the environment. */
const npmScript = (env: Environment): string | null =>
  env.npm_lifecycle_event === basename(process.argv[1] ?? '', '.ts') ? env.npm_lifecycle_event : null

/** Appended to every usage error: the value of a consumed option looks like a missing file. */
export function npmHint(env: Environment = process.env): string {
  const script = npmScript(env)
  return script === null ? '' : `\nWith npm, put options after "--": npm run ${script} -- PATH --option value`
}

/** An error message if options are missing that were certainly given. */
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
