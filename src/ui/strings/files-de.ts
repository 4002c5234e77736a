// The words of the files view, in German.
// In English they are files-en.ts's.

import type { filesEn } from './files-en.ts'

export const filesDe: typeof filesEn = {
  add: 'Aufnahmen hinzufügen',
  dropOrChoose: 'Aufnahmen oder Ordner irgendwo auf diese Seite ziehen, oder',
  choose: 'Dateien wählen',
  stays:
    'Jede wird aufbewahrt und auf diesem Rechner verschriftet. Sind sie gesendet, kann die Seite verlassen werden.',
  dropHere: 'Loslassen zum Verschriften',
  queue: 'Dateien',
  overOf: '{over} von {all} fertig',
  left: 'noch etwa {time}',
  allDone: { one: '{n} Datei ist fertig', other: '{n} Dateien sind fertig' },
  forget: 'Fertige ausblenden',
  toCaptures: 'Alle Aufnahmen',
  states: {
    waiting: 'Wartet auf das Senden',
    sending: 'Wird gesendet',
    queued: 'Wartet',
    working: 'Wird verschriftet',
    completed: 'Fertig',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  noSpeech: 'Keine Sprache gefunden',
  unreadable: 'Der Browser kann diese Datei nicht lesen.',
  progressOf: 'Fortschritt von {name}',
  open: 'Öffnen',
  openOf: '{name} öffnen',
  cancel: 'Abbrechen',
  cancelOf: '{name} abbrechen',
  retry: 'Noch einmal',
  retryOf: '{name} noch einmal',
}
