// Runs one of several programs by its name, for `npm run bench` and `npm run torture`.

import { join, resolve } from 'node:path'
import { asSentence, closestWord, didYouMean } from '../../src/lib/did-you-mean.ts'

export type Program = {
  /** relative to the project */
  script: string
  does: string
  env?: Record<string, string>
  /** needs the maintainers' tools */
  needsTools?: true
  /** runs the script's tests instead of the script */
  isTest?: true
}

const project = resolve(import.meta.dir, '../..')
const EXIT_USAGE = 2

/**
 * Runs the program that the first argument names, with the others as its arguments.
 * @param usage the lines above the list of programs
 * @returns its exit code; 2 with an explanation if there is no such program
 */
export async function runNamed(programs: Record<string, Program>, usage: string): Promise<number> {
  const [name, ...args] = process.argv.slice(2)
  const width = Math.max(...Object.keys(programs).map(({ length }) => length))
  const list = Object.entries(programs).map(([one, { does }]) => `  ${one.padEnd(width)}  ${does}`)
  const help = [usage, '', ...list].join('\n')
  if (name === '--help' || name === '-h') {
    console.log(help)
    return 0
  }
  if (name?.startsWith('-')) {
    console.error(`${asSentence(`Unknown option ${name}`)}\nRun with --help for usage.`)
    return EXIT_USAGE
  }
  const program = programs[name ?? '']
  if (program === undefined) {
    const unknown = (given: string) =>
      asSentence(`There is no "${given}"${didYouMean(closestWord(given, Object.keys(programs)))}`)
    console.error(name === undefined ? help : `${unknown(name)}\n\n${help}`)
    return EXIT_USAGE
  }
  const { script, env, needsTools, isTest } = program
  if (needsTools && (await exitCodeOf(['node', join(project, 'scripts/tool.mjs')])) !== 0) return 1
  const command = isTest ? [join(project, 'scripts/test.ts'), script] : [join(project, script)]
  return exitCodeOf([process.execPath, ...command, ...args], env)
}

const exitCodeOf = (command: string[], env: Record<string, string> = {}): Promise<number> =>
  Bun.spawn(command, {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit'],
  }).exited
