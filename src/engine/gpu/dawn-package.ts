// The npm package `webgpu`: Dawn, Chromium's WebGPU, as a native module. Of its 137 MB one system needs the files below,
// which `dictation gpu install` puts into the data folder. Nothing else is loaded from there.

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const DAWN_PACKAGE = {
  name: 'webgpu',
  version: '0.6.2',
  license: 'BSD-3-Clause',
  packedBytes: 51_264_151,
  maxUnpackedBytes: 200_000_000,
} as const

type DawnFile = { name: string; bytes: number; sha256: string }

/** The package's folders, by platform and processor. The first file is the module, the others must be in the same folder. */
const FILES: Record<string, DawnFile[]> = {
  'darwin-universal': [
    {
      name: 'dawn.node',
      bytes: 21_881_112,
      sha256: 'f5b278f3dc65276bf1f8a667f91650d32585431d5b2d148ca729f67924c574a3',
    },
  ],
  'linux-arm64': [
    {
      name: 'dawn.node',
      bytes: 19_643_120,
      sha256: '474a272ac9be570b04fa3791576d32e56f574818e60190c6788a83be90233980',
    },
  ],
  'linux-x64': [
    {
      name: 'dawn.node',
      bytes: 21_526_416,
      sha256: 'ab18a659f8325e874ea45c80347b64336d7f748601102753d2bc669fdecfd710',
    },
  ],
  'win32-arm64': [
    {
      name: 'dawn.node',
      bytes: 13_224_960,
      sha256: 'd0ef6fe1551cd08fb0fee2a8281d38008434697e5d9a6f3bfdcbb9ab00755672',
    },
    {
      name: 'd3dcompiler_47.dll',
      bytes: 8_140_752,
      sha256: '3cdd009ee909bb2e5123990f7d4ea690a1e968202c3adba861eda69f5e672752',
    },
    {
      name: 'dxcompiler.dll',
      bytes: 18_763_776,
      sha256: 'ed294f011f57eb8cfef061c2d91e56c1c192ca1a6ddaa315ccab7c2900029e6e',
    },
  ],
  'win32-x64': [
    {
      name: 'dawn.node',
      bytes: 12_177_408,
      sha256: '75fff5db8a7541ad7a2d22c468e6f8bc3614b87c3b649c8ce712f7f5148ef338',
    },
    {
      name: 'd3dcompiler_47.dll',
      bytes: 4_916_728,
      sha256: '289767b49dc8525bce262ea06fee4ef9fced2e131a55b25654ce871c1f0498b2',
    },
    {
      name: 'dxcompiler.dll',
      bytes: 17_099_776,
      sha256: '04cf618004bf19f789f54e8931c7f7106223bccd354b093c4ff725c748512602',
    },
  ],
}

/** Null if the package has no files for this system. */
export function dawnFiles(platform = process.platform, arch = process.arch) {
  const folder = `${platform}-${platform === 'darwin' ? 'universal' : arch}`
  const files = FILES[folder]
  return files ? { inPackage: `package/dist/${folder}`, files } : null
}

/** The folder of the GPU's files in the data folder. */
export const gpuFolderIn = (dataFolder: string): string => join(dataFolder, 'gpu')

export const dawnFolderIn = (gpuFolder: string): string => join(gpuFolder, `webgpu-${DAWN_PACKAGE.version}`)

/** The installed module; null without one. Only its length is checked: `dictation gpu install` checks its hash. */
export function installedDawn(gpuFolder: string): string | null {
  const wanted = dawnFiles()?.files ?? []
  const folder = dawnFolderIn(gpuFolder)
  const isWhole = ({ name, bytes }: DawnFile) =>
    existsSync(join(folder, name)) && statSync(join(folder, name)).size === bytes
  return wanted.length > 0 && wanted.every(isWhole) ? join(folder, wanted[0]!.name) : null
}
