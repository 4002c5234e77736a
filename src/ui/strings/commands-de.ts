// The words of Command Mode, in German.
// In English they are commands-en.ts's.

import type { commandsEn } from './commands-en.ts'

export const commandsDe: typeof commandsEn = {
  try: 'Einen Befehl ausprobieren',
  instruction: 'Was Sie sagen',
  instructionHelp: 'Auf Englisch etwa: put this in title case. Das Ganze muss ein Befehl sein.',
  selected: 'Markierter Text',
  keep: 'Im Verlauf aufbewahren',
  run: 'Ausführen',
  byLlm: 'vom Sprachmodell {model}',
  toClipboard: 'Gehört in die Zwischenablage; der Text bleibt.',
  keys: 'Zu drückende Tasten:',
  saved: 'Gespeicherte Befehle',
  noneSaved:
    'Es gibt noch keinen. Ein gespeicherter Befehl tut mehrere eingebaute auf einmal oder fragt das Sprachmodell.',
  add: 'Befehl hinzufügen',
  editNamed: '{name} ändern',
  deleteNamed: '{name} löschen',
  deleted: '{name} wurde gelöscht.',
  kept: '{name} ist gespeichert.',
  builtIn: 'Eingebaute Befehle ({n})',
  name: 'Name',
  triggers: 'Was ihn auslöst',
  triggersHelp: 'Was gesagt wird, je Zeile eines. Höflichkeit und Großschreibung zählen nicht.',
  how: 'Was er tut',
  hows: { steps: 'Eingebaute Befehle nacheinander', instructions: 'Anweisungen für das Sprachmodell' },
  howHelp: {
    steps: 'Mit Namen oder wie man sie sagt, je Zeile einer: remove empty lines',
    instructions: 'Was es mit dem Text tun soll. Die Einstellungen nennen das Sprachmodell.',
  },
  save: 'Speichern',
  cancel: 'Abbrechen',
  history: 'Was Befehle taten',
  noHistory: 'Noch nichts, oder es wurde vergessen.',
  clear: 'Alles vergessen',
  clearSure:
    'Vergessen, was Befehle taten, samt den Texten, an denen sie arbeiteten? Das lässt sich nicht zurücknehmen.',
  cleared: 'Es ist vergessen.',
  statuses: {
    succeeded: 'Getan',
    no_match: 'Nicht als Befehl verstanden',
    no_text: 'Es ist kein Text da',
    no_changes: 'Nichts zu ändern',
    too_long: 'Der Text ist zu lang',
    unsupported: 'Das kann hier niemand',
    timeout: 'Es dauerte zu lange',
    failed: 'Es ist gescheitert',
    canceled: 'Abgebrochen',
  },
  kinds: {
    transform: 'ändert den Text',
    insert: 'fügt Text ein',
    action: 'drückt Tasten',
  },
}
