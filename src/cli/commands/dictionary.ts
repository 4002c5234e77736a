import { defineCommand, defineNoun } from '../command.ts'

const FORMATS = ['txt', 'csv', 'json'] as const

export const DICTIONARY_COMMANDS = defineNoun({
  name: 'dictionary',
  summary: 'Teach words, replacements and snippets',
  commands: [
    defineCommand({
      name: 'ls',
      summary: 'List the entries, the newest first',
      details:
        'In a pipe, the columns are separated by tabs: id, type, word, replacement, aliases, language, uses.',
      arguments: [{ name: 'TEXT', help: 'only entries that contain this text', isOptional: true }],
      options: {
        type: {
          value: 'TYPE',
          help: 'only this type',
          choices: ['term', 'replacement', 'snippet', 'omit'],
        },
      },
      examples: [{ command: 'dictation dictionary ls', meaning: 'all entries' }],
      load: async () => (await import('../dictionary/entries.ts')).listEntriesCommand,
    }),
    defineCommand({
      name: 'add',
      summary: 'Add an entry',
      details:
        'A word alone is a term: a hint for the recognizer. With a replacement, the word is replaced in texts.',
      arguments: [
        { name: 'WORD', help: 'the word, as it is spoken or recognized' },
        { name: 'REPLACEMENT', help: 'the text to write instead', isOptional: true },
      ],
      options: {
        alias: { value: 'WORD', help: 'another form of the word', many: true },
        type: {
          value: 'TYPE',
          help: 'the type [replacement if there is one, else term]',
          choices: ['term', 'replacement', 'snippet', 'omit'],
        },
        language: { value: 'CODE', help: 'only for texts in this language' },
        'case-sensitive': { help: 'match the exact case only' },
        regex: { help: 'the word is a pattern (RE2)' },
      },
      examples: [
        { command: 'dictation dictionary add Kubernetes --alias "cooper netties"', meaning: 'teach a term' },
        { command: 'dictation dictionary add "git hub" GitHub', meaning: 'replace a word' },
      ],
      load: async () => (await import('../dictionary/entries.ts')).addEntryCommand,
    }),
    defineCommand({
      name: 'rm',
      summary: 'Delete entries',
      arguments: [{ name: 'WORD', help: 'words, or ids or the last characters of ids', many: true }],
      options: { yes: { short: 'y', help: 'skip the confirmation' } },
      examples: [{ command: 'dictation dictionary rm "git hub" --yes', meaning: 'delete an entry' }],
      load: async () => (await import('../dictionary/entries.ts')).removeEntriesCommand,
    }),
    defineCommand({
      name: 'import',
      summary: 'Add the entries of a file',
      details:
        'Reads the formats of dictionary export, CSV of other programs, and lines such as `word | alias => replacement`. Nothing changes if the file cannot be read; invalid lines are reported and skipped.',
      arguments: [{ name: 'FILE', help: 'the file; - is standard input' }],
      options: {
        format: {
          value: 'FORMAT',
          short: 'f',
          help: 'its format [from its name, else txt]',
          choices: FORMATS,
        },
        header: {
          value: 'WHETHER',
          help: 'whether the first row of a CSV file has column names [detected]',
          choices: ['yes', 'no'],
        },
        replace: { help: 'delete all entries that are not in the file' },
        'dry-run': { help: 'only show what would change' },
        yes: { short: 'y', help: 'skip the confirmation of --replace' },
      },
      examples: [
        {
          command: 'dictation dictionary import words.csv --dry-run',
          meaning: 'show what the file would change',
        },
      ],
      load: async () => (await import('../dictionary/files.ts')).importEntriesCommand,
    }),
    defineCommand({
      name: 'export',
      summary: 'Write all entries to a file or to standard output',
      options: {
        format: {
          value: 'FORMAT',
          short: 'f',
          help: 'the format [from the file name, else json]',
          choices: FORMATS,
        },
        output: { value: 'FILE', short: 'o', help: 'the file [standard output]' },
        force: { help: 'replace a file that exists' },
      },
      examples: [{ command: 'dictation dictionary export -f csv', meaning: 'print the entries as CSV' }],
      load: async () => (await import('../dictionary/files.ts')).exportEntriesCommand,
    }),
    defineCommand({
      name: 'test',
      summary: 'Try the dictionary on a text',
      details: 'Prints the text as it would be written. Nothing is stored.',
      arguments: [{ name: 'TEXT', help: 'the text [standard input]', many: true, isOptional: true }],
      options: { language: { value: 'CODE', help: 'the language of the text' } },
      examples: [
        { command: 'dictation dictionary test "it is on git hub"', meaning: 'the text with replacements' },
      ],
      load: async () => (await import('../dictionary/test.ts')).testDictionaryCommand,
    }),
  ],
})
