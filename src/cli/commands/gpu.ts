import { defineCommand, defineNoun } from '../command.ts'

const install = defineCommand({
  name: 'install',
  needs: 'folder',
  summary: 'Download the library that computes models on the GPU',
  details: `The npm package webgpu (Dawn, Chromium's WebGPU) has the library for every system. This command downloads it from the npm registry, or from the one in npm_config_registry, takes the files of this system out of it, verifies their SHA-256 and puts them into the data folder. On a computer without a network, give it FILE: webgpu-0.6.2.tgz, as "npm pack webgpu@0.6.2" writes it elsewhere.
The GPU is used when the setting engine is auto or gpu and a model has passed a trial on it.`,
  arguments: [{ name: 'FILE', help: 'the package, if it is already downloaded', isOptional: true }],
  options: { yes: { short: 'y', help: 'skip the confirmation' } },
  examples: [
    {
      command: 'dictation gpu install',
      meaning: 'show the download size and install it after confirmation',
      notRun: 'downloads from the internet',
    },
    {
      command: 'dictation gpu install webgpu-0.6.2.tgz',
      meaning: 'without a network',
      notRun: 'needs the package',
    },
  ],
  load: async () => (await import('../gpu/install.ts')).installGpu,
})

const status = defineCommand({
  name: 'status',
  needs: 'folder',
  summary: 'Show whether the GPU library is installed, and which models passed their trial',
  examples: [{ command: 'dictation gpu status', meaning: 'library and trials' }],
  load: async () => (await import('../gpu/status.ts')).gpuStatus,
})

const retry = defineCommand({
  name: 'retry',
  needs: 'folder',
  summary: 'Forget the results of all trials, so that every model is tried on the GPU again',
  examples: [{ command: 'dictation gpu retry', meaning: 'after a crash, or a change of the computer' }],
  load: async () => (await import('../gpu/status.ts')).retryGpu,
})

export const GPU = defineNoun({
  name: 'gpu',
  summary: 'Compute models on the GPU (experimental)',
  commands: [install, status, retry],
})
