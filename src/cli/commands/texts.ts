import { defineCommand } from '../command.ts'

const LLM = {
  language: { value: 'CODE', help: 'the language of the text [detected]' },
} as const

export const REFINE = defineCommand({
  name: 'refine',
  summary: 'Clean up a text as a transcript is cleaned up',
  details:
    'Applies the dictionary and a writing style. Reads standard input if no text is given. Nothing is stored.',
  arguments: [{ name: 'TEXT', help: 'the text [standard input]', many: true, isOptional: true }],
  options: {
    style: { value: 'STYLE', short: 's', help: 'the writing style: name, id, or last characters of an id' },
    app: { value: 'NAME', help: 'the style that matches this application [the default style]' },
    ...LLM,
    rules: { help: 'apply the rules only, without the language model' },
  },
  examples: [
    { command: 'dictation refine "um we meet on friday"', meaning: 'We meet on Friday' },
    {
      command: 'dictation refine --style Email < notes.txt',
      meaning: 'a file, in the style Email',
    },
  ],
  load: async () => (await import('../texts/refine.ts')).refineCommand,
})

export const RUN = defineCommand({
  name: 'run',
  summary: 'Change a text by a command in words (Command Mode)',
  details:
    'The text comes from standard input and the result goes to standard output. If the command cannot be carried out, the text is printed unchanged, and the exit code is 1.',
  arguments: [{ name: 'COMMAND', help: 'what to do, such as "make this a list"', many: true }],
  options: {
    style: { value: 'STYLE', short: 's', help: 'the writing style for the language model' },
    app: { value: 'NAME', help: 'the application that the text is from' },
    ...LLM,
    'dry-run': { help: 'do not record it in the history' },
  },
  examples: [
    {
      command: 'echo "the lord of the rings" | dictation run "put this in title case"',
      meaning: 'The Lord of the Rings',
    },
  ],
  load: async () => (await import('../texts/run.ts')).runTextCommand,
})
