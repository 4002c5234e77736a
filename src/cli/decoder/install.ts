// dictation decoder install: puts FFmpeg in WebAssembly (GPL) into the data folder, where the decoder process finds it.

import { join } from 'node:path'
import type { Given } from '../command.ts'
import { installPackage, type PinnedPackage } from '../npm-package.ts'
import { EXIT } from '../terminal/exit.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'

const PACKAGE: PinnedPackage = {
  name: '@ffmpeg/core',
  version: '0.12.10',
  license: 'GPL-2.0-or-later',
  packedBytes: 20_634_719,
  // The package contains two builds.
  maxUnpackedBytes: 80_000_000,
  inPackage: 'package/dist/esm',
  files: [
    {
      name: 'ffmpeg-core.wasm',
      bytes: 32_232_419,
      sha256: '9f57947a5bd530d8f00c5b3f2cb2a3492faa7e5d823315342d6a8656d0a6b7b7',
    },
    {
      name: 'ffmpeg-core.js',
      bytes: 111_804,
      sha256: '67a48f11645f85439f3fde4f2119042c16b374b910206b7a7a24f342e28dcae3',
    },
  ],
}

export async function installDecoder(
  { env, report }: Tools,
  { args: [file], options }: Given<{ yes?: boolean }>,
): Promise<number> {
  const folder = join(validConfig(env).dataFolder, 'decoders')
  const isConfirmed = options.yes === true
  const outcome = await installPackage(PACKAGE, { folder, file, isConfirmed, env, report })
  if (outcome === 'declined') return EXIT.failed
  const installed = outcome === 'installed'
  report.answer({ folder, installed }, () => `The decoder is ${installed ? '' : 'already '}in ${folder}.`)
  return EXIT.done
}
