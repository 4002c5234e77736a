import { defineCommand, defineNoun } from '../command.ts'

const NEEDS_INTERNET = 'downloads from the internet'

const pull = defineCommand({
  name: 'pull',
  summary: 'Download a Whisper model and verify its SHA-256; without a name, list the models',
  details: `NAME is a size (base, small.en, turbo), a file (base.en-q5_1), or any ggml file of the hub by its full name (owner/repository/ggml-name.bin).
A running server does the download and continues it if this command ends. Without one, the command downloads the model itself. An interrupted download is resumed. HF_ENDPOINT and the setting model_base_url name a mirror.`,
  stdout: 'events',
  npmScript: 'get-model',
  arguments: [{ name: 'NAME', help: 'the model', isOptional: true }],
  examples: [
    { command: 'dictation models pull', meaning: 'list what can be downloaded' },
    { command: 'dictation models pull small', meaning: 'download one', notRun: NEEDS_INTERNET },
  ],
  load: async () => (await import('../models/pull.ts')).pullModel,
})

export const MODELS = defineNoun({
  name: 'models',
  summary: 'List, download and choose Whisper models',
  commands: [pull],
})
