// dictation gpu install: puts the files of the npm package webgpu that this system needs into the data folder.

import { DAWN_PACKAGE, dawnFiles, dawnFolderIn, gpuFolderIn } from '../../engine/gpu/dawn-package.ts'
import type { Given } from '../command.ts'
import { installPackage } from '../npm-package.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'

export async function installGpu(
  { env, report }: Tools,
  { args: [file], options }: Given<{ yes?: boolean }>,
): Promise<number> {
  const { dataFolder } = validConfig(env)
  const folder = dawnFolderIn(gpuFolderIn(dataFolder))
  const wanted = dawnFiles()
  if (!wanted)
    throw new CommandFailure(`webgpu ${DAWN_PACKAGE.version} has no library for this system.`, {
      code: 'unsupported',
    })
  const { inPackage, files } = wanted
  const isConfirmed = options.yes === true
  const outcome = await installPackage(
    // The module comes last: it counts as installed when all files are there.
    { ...DAWN_PACKAGE, inPackage, files: files.toReversed() },
    { folder, file, isConfirmed, env, report },
  )
  if (outcome === 'declined') return EXIT.failed
  const installed = outcome === 'installed'
  report.answer(
    { folder, installed },
    () =>
      `The library is ${installed ? '' : 'already '}in ${folder}. To use it: dictation settings set engine auto`,
  )
  return EXIT.done
}
