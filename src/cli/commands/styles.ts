import { defineCommand, defineNoun } from '../command.ts'

const STYLE = { name: 'STYLE', help: 'a name, an id, or the last characters of an id' } as const

export const STYLES = defineNoun({
  name: 'styles',
  summary: 'Writing styles: how texts are written in which application',
  commands: [
    defineCommand({
      name: 'ls',
      summary: 'List the writing styles',
      details:
        'A star marks the default. In a pipe, the columns are separated by tabs: id, name, tone, default, enabled, where it applies.',
      examples: [{ command: 'dictation styles ls', meaning: 'all writing styles' }],
      load: async () => (await import('../styles/styles.ts')).listStylesCommand,
    }),
    defineCommand({
      name: 'show',
      summary: 'Show a writing style',
      arguments: [STYLE],
      examples: [{ command: 'dictation styles show Email', meaning: 'what the style changes, and where' }],
      load: async () => (await import('../styles/styles.ts')).showStyleCommand,
    }),
    defineCommand({
      name: 'add',
      summary: 'Create a writing style',
      arguments: [{ name: 'NAME', help: 'its name' }],
      options: {
        description: { value: 'TEXT', help: 'what it is for' },
        tone: {
          value: 'TONE',
          help: 'the tone for the language model; verbatim changes nothing [neutral]',
          choices: ['neutral', 'formal', 'casual', 'very_casual', 'verbatim'],
        },
        instructions: { value: 'TEXT', help: 'instructions for the language model' },
        app: { value: 'NAME', help: 'an application to use it in', many: true },
        category: {
          value: 'KIND',
          help: 'a kind of application, such as email',
          many: true,
        },
        url: {
          value: 'PATTERN',
          help: 'web pages to use it on, such as *.example.com',
          many: true,
        },
        language: { value: 'CODE', help: 'only for texts in this language' },
        rule: {
          value: 'RULE=VALUE',
          help: 'a rule, such as numbers=digits or trailing_space=true',
          many: true,
        },
        priority: {
          value: 'N',
          help: 'if several styles match, the one with the highest priority applies [0]',
        },
      },
      examples: [
        {
          command: 'dictation styles add Minutes --tone formal --app Zoom --rule trailing_period=add',
          meaning: 'a style for one application',
        },
      ],
      load: async () => (await import('../styles/change.ts')).addStyleCommand,
    }),
    defineCommand({
      name: 'rm',
      summary: 'Delete writing styles',
      details:
        'Texts that were written with them are not changed. The default style and built-in styles cannot be deleted.',
      arguments: [{ ...STYLE, many: true }],
      options: { yes: { short: 'y', help: 'skip the confirmation' } },
      examples: [{ command: 'dictation styles rm Minutes --yes', meaning: 'delete a style' }],
      load: async () => (await import('../styles/change.ts')).removeStylesCommand,
    }),
  ],
})
