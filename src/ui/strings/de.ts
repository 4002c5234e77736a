// Every word that the page says, in German.
// Their shape, and what `{name}` stands for, is en.ts's.

import { captureDe } from './capture-de.ts'
import { capturesDe } from './captures-de.ts'
import { commandsDe } from './commands-de.ts'
import { dictionaryDe } from './dictionary-de.ts'
import type { Strings } from './en.ts'
import { filesDe } from './files-de.ts'
import { jobsDe } from './jobs-de.ts'
import { modelsDe } from './models-de.ts'
import { recordDe } from './record-de.ts'
import { settingsDe } from './settings-de.ts'
import { statisticsDe } from './statistics-de.ts'
import { stylesDe } from './styles-de.ts'

export const de: Strings = {
  views: {
    record: 'Aufnehmen',
    files: 'Dateien',
    captures: 'Aufnahmen',
    capture: 'Aufnahme',
    dictionary: 'Wörterbuch',
    styles: 'Schreibstile',
    commands: 'Befehle',
    jobs: 'Aufträge',
    statistics: 'Statistik',
    models: 'Modelle',
    settings: 'Einstellungen',
  },
  capture: captureDe,
  captures: capturesDe,
  shell: {
    title: 'Local Dictation',
    navigation: 'Ansichten',
    skip: 'Zur Ansicht springen',
    api: 'API',
    loading: 'Wird geladen …',
    notFound: 'Diese Ansicht gibt es nicht',
    notFoundHelp: 'Vielleicht wurde die Adresse abgeschnitten.',
    viewFailed:
      'Diese Ansicht konnte nicht geladen werden. Vielleicht hat der Server inzwischen eine andere Version.',
    reload: 'Seite neu laden',
    offline: 'Der Server antwortet nicht. Läuft er?',
    retryIn: 'Neuer Versuch in {seconds} s',
    retryNow: 'Jetzt versuchen',
    dismiss: 'Schließen',
    undo: 'Rückgängig',
    undone: 'Rückgängig gemacht',
    theme: 'Farben',
    themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
    language: 'Sprache',
    more: 'Mehr',
  },
  parts: {
    pages: 'Seiten',
    previous: 'Zurück',
    next: 'Weiter',
    tryAgain: 'Noch einmal versuchen',
  },
  dictionary: dictionaryDe,
  styles: stylesDe,
  commands: commandsDe,
  jobs: jobsDe,
  statistics: statisticsDe,
  models: modelsDe,
  record: recordDe,
  settings: settingsDe,
  files: filesDe,
}
