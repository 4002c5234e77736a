// Every word that the page says, in English. Another language is a file of the same shape beside this one.
// Which one is shown is strings.ts's. `{name}` stands for a value.

import { captureEn } from './capture-en.ts'
import { capturesEn } from './captures-en.ts'
import { commandsEn } from './commands-en.ts'
import { dictionaryEn } from './dictionary-en.ts'
import { filesEn } from './files-en.ts'
import { jobsEn } from './jobs-en.ts'
import { modelsEn } from './models-en.ts'
import { recordEn } from './record-en.ts'
import { settingsEn } from './settings-en.ts'
import { statisticsEn } from './statistics-en.ts'
import { stylesEn } from './styles-en.ts'

export const en = {
  views: {
    record: 'Record',
    files: 'Files',
    captures: 'Captures',
    capture: 'Capture',
    dictionary: 'Dictionary',
    styles: 'Writing styles',
    commands: 'Commands',
    jobs: 'Jobs',
    statistics: 'Statistics',
    models: 'Models',
    settings: 'Settings',
  },
  capture: captureEn,
  captures: capturesEn,
  shell: {
    title: 'Local Dictation',
    navigation: 'Views',
    skip: 'Skip to the view',
    api: 'API',
    loading: 'Loading …',
    notFound: 'There is no such view',
    notFoundHelp: 'The address may have been cut.',
    viewFailed: 'This view could not be loaded. The server may be another version by now.',
    reload: 'Load the page again',
    offline: 'The server does not answer. Is it running?',
    retryIn: 'Tried again in {seconds} s',
    retryNow: 'Try now',
    dismiss: 'Dismiss',
    undo: 'Undo',
    undone: 'Undone',
    theme: 'Theme',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    language: 'Language',
    more: 'More',
  },
  parts: {
    pages: 'Pages',
    previous: 'Previous',
    next: 'Next',
    tryAgain: 'Try again',
  },
  dictionary: dictionaryEn,
  styles: stylesEn,
  commands: commandsEn,
  jobs: jobsEn,
  statistics: statisticsEn,
  models: modelsEn,
  record: recordEn,
  settings: settingsEn,
  files: filesEn,
}

export type Strings = typeof en
