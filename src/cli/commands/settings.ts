import { defineCommand, defineNoun } from '../command.ts'

export const SETTINGS = defineNoun({
  name: 'settings',
  summary: 'Read and change the settings of the server',
  commands: [
    defineCommand({
      name: 'get',
      summary: 'Show the settings, or one of them',
      arguments: [{ name: 'KEY', help: 'the setting [all]', isOptional: true, known: 'settings' }],
      examples: [
        { command: 'dictation settings get', meaning: 'all settings' },
        { command: 'dictation settings get language', meaning: 'the value of one' },
      ],
      load: async () => (await import('../settings/settings.ts')).getSettingsCommand,
    }),
    defineCommand({
      name: 'set',
      summary: 'Change a setting',
      details: 'null removes a value that may be absent. A list is written with commas: en,de.',
      arguments: [
        { name: 'KEY', help: 'the setting, as in settings get', known: 'settings' },
        { name: 'VALUE', help: 'the new value' },
      ],
      options: {
        'confirm-removal': { help: 'let a new limit remove captures now instead of a day later' },
      },
      examples: [
        { command: 'dictation settings set language en', meaning: 'transcribe as English' },
        { command: 'dictation settings set retention_days null', meaning: 'remove no captures by age' },
      ],
      load: async () => (await import('../settings/settings.ts')).setSettingCommand,
    }),
  ],
})
