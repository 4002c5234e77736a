// dictation gpu status and retry: shows and resets the results of GPU trials in the data folder.

import { DAWN_PACKAGE, gpuFolderIn, installedDawn } from '../../engine/gpu/dawn-package.ts'
import { forgetTrials, readTrials, type Trial } from '../../engine/gpu/trials.ts'
import { EXIT } from '../terminal/exit.ts'
import { rowsText } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'

export async function gpuStatus({ env, report }: Tools): Promise<number> {
  const folder = gpuFolderIn(validConfig(env).dataFolder)
  const isInstalled = installedDawn(folder) !== null
  const trials = Object.values(await readTrials(folder)).map((trial) => ({
    model: trial.model,
    state: trial.state,
    reason: reasonOf(trial),
  }))
  report.answer({ library: isInstalled ? DAWN_PACKAGE.version : null, trials }, () =>
    [
      `library  ${isInstalled ? `webgpu ${DAWN_PACKAGE.version}` : 'not installed: dictation gpu install'}`,
      ...(trials.length === 0
        ? ['trials   none']
        : [rowsText(trials.map(({ model, state, reason }) => [model, state, reason]))]),
    ].join('\n'),
  )
  return EXIT.done
}

const reasonOf = (trial: Trial): string =>
  trial.state !== 'trying'
    ? trial.reason
    : 'Running now, or it ended the process. The CPU is used; dictation gpu retry tries it again.'

export async function retryGpu({ env, report }: Tools): Promise<number> {
  await forgetTrials(gpuFolderIn(validConfig(env).dataFolder))
  report.note('Each model is tried on the GPU again when it is loaded next.')
  return EXIT.done
}
