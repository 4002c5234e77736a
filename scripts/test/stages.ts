// Which tests a run consists of: stages one after the other, each of lanes side by side.

import { testsByTier } from './tiers.ts'

/** `isQuick`: properties are tried briefly, and long tests are left out. */
export type Lane = { options: string[]; files: string[]; isQuick: boolean }

/** Arguments that select tests; all others are for `bun test`. */
const SELECTIONS = ['--unit', '--rest', '--all']

/** Without isolation the files share their imports. */
const SHARED = ['--no-isolate', '--parallel']
const ISOLATED = ['--parallel=2']
/** Whole servers and browsers wait a third of the time, so three workers fill two cores. */
const WAITING = ['--parallel=3']
/** By the end of their names; see test/support/at-length.ts. */
const ONLY_AT_LENGTH = ['-t', '\\(long\\)']

/**
 * @param given `--unit`: the unit tests; `--rest`: what a run without arguments leaves out; `--all`: both; anything else
 * is for `bun test`, which then runs everything in one lane
 * @param folder the project's
 */
export async function stagesOf(given: string[], folder: string): Promise<Lane[][]> {
  const options = given.filter((arg) => !SELECTIONS.includes(arg))
  const has = (selection: string) => given.includes(selection)
  const tiers = await testsByTier(folder)
  const { unit, parts, whole, recording, sampled, lengthy } = tiers
  if (has('--unit')) return [[{ options: [...SHARED, ...options], files: unit, isQuick: true }]]
  if (options.length > 0 || unit.length + parts.length + whole.length === 0)
    return [[{ options, files: [], isQuick: false }]]
  const isQuick = !has('--rest') && !has('--all')
  const isolated = (files: readonly string[], workers: readonly string[], more: string[] = []): Lane => ({
    options: [...workers, ...more],
    files: files.filter((test) => !recording.includes(test)).sort(),
    isQuick,
  })
  // Mixed with the others, each would block a slot, and several would wait at the end.
  const spoken = { options: ['--isolate'], files: recording, isQuick }
  const shared = { options: SHARED, files: unit, isQuick }
  const full = [...new Set([...whole, ...sampled])]
  const stages = isQuick
    ? [[shared], [isolated(parts, ISOLATED)]]
    : has('--all')
      ? [[shared], [isolated([...parts, ...whole], WAITING), spoken]]
      : [
          [isolated(full, WAITING), spoken],
          [
            isolated(
              lengthy.filter((test) => !full.includes(test)),
              ISOLATED,
              ONLY_AT_LENGTH,
            ),
          ],
        ]
  return stages
    .map((stage) => stage.filter(({ files }) => files.length > 0))
    .filter((stage) => stage.length > 0)
}
