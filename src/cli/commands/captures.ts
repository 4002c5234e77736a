import { defineCommand, defineNoun } from '../command.ts'
import type { OptionSpecs } from '../option-specs.ts'

const ONE = {
  name: 'ID',
  help: 'a capture: its id, the last characters of it, or @last for the newest',
} as const
const MANY = { ...ONE, help: 'captures: ids, the last characters of them, or @last', many: true } as const

const YES = { help: 'skip the confirmation' } as const

/** Sent as they are in the query of GET /captures, except for the times and the trash. */
const FILTERS = {
  since: { value: 'TIME', help: 'recorded at this time or later: 7d, 24h, 2026-01-31 or 2026-01-31T12:00' },
  until: { value: 'TIME', help: 'recorded before this time' },
  app: { value: 'NAME', help: 'dictated into this application' },
  language: { value: 'CODE', help: 'in this language, such as en' },
  model: { value: 'NAME', help: 'transcribed by this model', known: 'installed models' },
  source: { value: 'SOURCE', help: 'recorded in this way', choices: ['dictation', 'recording', 'file'] },
  status: {
    value: 'STATUS',
    help: 'in this state',
    choices: ['pending', 'transcribing', 'refining', 'completed', 'failed', 'canceled'],
  },
  starred: { help: 'only captures with a star' },
  trash: { help: 'the captures in the trash instead' },
  limit: { value: 'N', help: 'maximum number of captures [20]' },
} as const satisfies OptionSpecs

const SORTS = ['newest', 'oldest', 'longest', 'shortest', 'most-words', 'fewest-words'] as const

export const CAPTURES = defineNoun({
  name: 'captures',
  summary: 'List, search, play and change stored recordings',
  commands: [
    defineCommand({
      name: 'ls',
      summary: 'List captures, the newest first',
      details:
        'A line for each capture. In a pipe, its columns are separated by tabs: id, time, seconds, status, star, text.',
      options: { ...FILTERS, sort: { value: 'ORDER', help: 'the order [newest]', choices: SORTS } },
      examples: [
        { command: 'dictation captures ls --since 7d', meaning: 'what was recorded in the last week' },
        { command: 'dictation captures ls --status failed --json', meaning: 'what failed, for a program' },
      ],
      load: async () => (await import('../captures/list.ts')).listCommand,
    }),
    defineCommand({
      name: 'search',
      summary: 'Find captures by their words',
      details:
        'Every word must occur in the text or the title, at least as the beginning of a word. "Quoted words" must follow each other. Case and accents are ignored. The best match comes first.',
      arguments: [{ name: 'WORDS', help: 'the words to find', many: true }],
      options: FILTERS,
      examples: [
        { command: 'dictation captures search message', meaning: 'captures with this word' },
        {
          command: `dictation captures search '"new message"' --app Mail`,
          meaning: 'captures with these words in this order, dictated into Mail',
        },
      ],
      load: async () => (await import('../captures/list.ts')).searchCommand,
    }),
    defineCommand({
      name: 'show',
      summary: 'Show a capture with its text',
      arguments: [ONE],
      examples: [{ command: 'dictation captures show @last', meaning: 'the newest capture' }],
      load: async () => (await import('../captures/show.ts')).showCommand,
    }),
    defineCommand({
      name: 'play',
      summary: 'Play a recording',
      details: 'Uses ffplay, mpv, afplay, pw-play, paplay or aplay.',
      arguments: [ONE],
      examples: [
        { command: 'dictation captures play @last', meaning: 'play the newest', notRun: 'it makes a sound' },
      ],
      load: async () => (await import('../captures/play.ts')).playCommand,
    }),
    defineCommand({
      name: 'export',
      summary: 'Write the texts of captures as files',
      details:
        'Without --output-dir, the text of one capture goes to standard output. A file that exists is not replaced without --force.',
      arguments: [MANY],
      options: {
        format: {
          value: 'FORMAT',
          short: 'f',
          help: 'the format [txt]',
          choices: ['txt', 'md', 'docx', 'srt', 'vtt', 'json'],
        },
        text: {
          value: 'TEXT',
          help: 'the transcript, or the refined text [raw for subtitles, else refined]',
          choices: ['raw', 'refined'],
        },
        'output-dir': { value: 'DIR', short: 'o', help: 'the folder for the files; it is created' },
        audio: { help: 'write the recordings too; needs --output-dir' },
        force: { help: 'replace files that exist' },
      },
      examples: [
        { command: 'dictation captures export @last', meaning: 'print the text of the newest' },
        { command: 'dictation captures export @last -f srt -o subtitles', meaning: 'write its subtitles' },
      ],
      load: async () => (await import('../captures/export.ts')).exportCommand,
    }),
    defineCommand({
      name: 'edit',
      summary: 'Correct the text or the title of a capture',
      details:
        'Without --text and --title, opens the text in $VISUAL or $EDITOR. The earlier text becomes a version. If the capture was changed meanwhile, nothing is overwritten and your text stays in its file.',
      arguments: [ONE],
      options: {
        text: { value: 'TEXT', help: 'the corrected text; - reads it from standard input' },
        title: { value: 'TITLE', help: 'the title' },
      },
      examples: [
        { command: 'dictation captures edit @last --title "The new office"', meaning: 'set a title' },
        {
          command: 'dictation captures edit @last',
          meaning: 'correct the text in your editor',
          notRun: 'it opens an editor',
        },
      ],
      load: async () => (await import('../captures/edit.ts')).editCommand,
    }),
    defineCommand({
      name: 'star',
      summary: 'Star captures',
      details: 'Retention limits never remove a capture with a star.',
      arguments: [MANY],
      options: { off: { help: 'remove the star' } },
      examples: [{ command: 'dictation captures star @last', meaning: 'star the newest' }],
      load: async () => (await import('../captures/change.ts')).starCommand,
    }),
    defineCommand({
      name: 'rm',
      summary: 'Move captures to the trash',
      details: 'The server deletes them after the days in the setting trash_days.',
      arguments: [MANY],
      options: {
        permanent: { help: 'delete the recordings and the texts now; they cannot be restored' },
        yes: { ...YES, short: 'y' },
      },
      examples: [{ command: 'dictation captures rm @last --yes', meaning: 'move the newest to the trash' }],
      load: async () => (await import('../captures/change.ts')).removeCommand,
    }),
    defineCommand({
      name: 'restore',
      summary: 'Restore captures from the trash',
      details: 'Here @last is the newest capture in the trash.',
      arguments: [MANY],
      examples: [{ command: 'dictation captures restore @last', meaning: 'undo the last captures rm' }],
      load: async () => (await import('../captures/change.ts')).restoreCommand,
    }),
  ],
})
