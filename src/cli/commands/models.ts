import { defineCommand, defineNoun } from '../command.ts'

const NEEDS_INTERNET = 'downloads from the internet'

const ls = defineCommand({
  name: 'ls',
  summary: 'List the installed models',
  examples: [{ command: 'dictation models ls', meaning: 'name, size, and which one is in use' }],
  load: async () => (await import('../models/models.ts')).listModels,
})

const pull = defineCommand({
  name: 'pull',
  summary: 'Download a Whisper model and verify its SHA-256; without a name, list the models',
  details: `NAME is a size (base, small.en, turbo), a file (base.en-q5_1), or any ggml file of the hub by its full name (owner/repository/ggml-name.bin).
A running server does the download and continues it if this command ends. Without one, the command downloads the model itself. An interrupted download is resumed. HF_ENDPOINT and the setting model_base_url name a mirror.`,
  stdout: 'events',
  npmScript: 'get-model',
  arguments: [{ name: 'NAME', help: 'the model', isOptional: true, known: 'models' }],
  examples: [
    { command: 'dictation models pull', meaning: 'list what can be downloaded' },
    { command: 'dictation models pull small', meaning: 'download one', notRun: NEEDS_INTERNET },
  ],
  load: async () => (await import('../models/pull.ts')).pullModel,
})

const rm = defineCommand({
  name: 'rm',
  summary: 'Delete the file of a model',
  arguments: [{ name: 'NAME', help: 'an installed model', known: 'installed models' }],
  options: { yes: { short: 'y', help: 'skip the confirmation' } },
  examples: [
    { command: 'dictation models rm small', meaning: 'delete it', notRun: 'needs a downloaded model' },
  ],
  load: async () => (await import('../models/models.ts')).removeModel,
})

const importOne = defineCommand({
  name: 'import',
  summary: 'Import a model file in the ggml format of whisper.cpp',
  arguments: [{ name: 'FILE', help: 'the file' }],
  options: { name: { value: 'NAME', help: 'the name of the model [the file name]' } },
  examples: [
    {
      command: 'dictation models import ggml-swiss-german.bin',
      meaning: 'add a model of your own',
      notRun: 'needs a model file',
    },
  ],
  load: async () => (await import('../models/models.ts')).importModel,
})

const use = defineCommand({
  name: 'use',
  summary: 'Choose the model for new recordings',
  arguments: [
    {
      name: 'NAME',
      help: 'an installed model, or best for the best installed one',
      known: 'installed models',
    },
  ],
  examples: [
    { command: 'dictation models use tiny.en', meaning: 'the fastest one' },
    { command: 'dictation models use best', meaning: 'let the server choose' },
  ],
  load: async () => (await import('../models/models.ts')).selectModel,
})

export const MODELS = defineNoun({
  name: 'models',
  summary: 'List, download and choose Whisper models',
  commands: [ls, pull, rm, importOne, use],
})
