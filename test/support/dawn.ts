// The library that computes on GPUs, and an emulated GPU, for tests. Neither is part of the installation:
// `DICTATION_DATA_DIR=.dev node scripts/dictation.mjs gpu install` fetches the library, and Chromium contains SwiftShader.

import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gpuFolderIn, installedDawn } from '../../src/engine/gpu/dawn-package.ts'

const found =
  process.env.DAWN_NODE ?? installedDawn(gpuFolderIn(resolve(import.meta.dir, '../../.dev'))) ?? null

if (!found)
  console.warn(
    'NOT TESTED: the shaders of the GPU. DICTATION_DATA_DIR=.dev node scripts/dictation.mjs gpu install',
  )

/** null if it is not installed */
export const dawnModule: string | null = found

const VULKAN_DRIVER = 'vk_swiftshader_icd.json'

/** The description of SwiftShader's Vulkan driver; null without Chromium. */
function emulatedGpu(): string | null {
  const chromium = process.env.CHROMIUM ?? Bun.which('chromium') ?? Bun.which('google-chrome')
  const folders = ['/usr/lib/chromium', ...(chromium ? [dirname(realpathSync(chromium))] : [])]
  return folders.map((folder) => join(folder, VULKAN_DRIVER)).find(existsSync) ?? null
}

export const swiftShader: string | null = found ? emulatedGpu() : null

if (found && !swiftShader)
  console.warn('NOT TESTED: the numbers of the shaders, because Chromium has no SwiftShader')
