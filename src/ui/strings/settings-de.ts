// The words of the settings view, in German.
// In English they are settings-en.ts's.

import type { settingsEn } from './settings-en.ts'

export const settingsDe: typeof settingsEn = {
  page: 'Diese Seite',
  pageHelp: 'Gilt nur in diesem Browser.',
  saved: '{name}: gespeichert',
  removeNow: 'Jetzt entfernen',
  removed: 'Was angekündigt war, wird entfernt.',
  automatic: 'Automatisch',
  notHere: '{name} (nicht auf diesem Rechner)',
  addLanguage: 'Sprache hinzufügen',
  removeLanguage: '{name} entfernen',
  noLanguages: 'Alle Sprachen',
  never: 'ohne Grenze',
  none: 'keine',
  signOut: 'Abmelden',
  signOutHelp: 'In diesem Browser wird wieder nach dem Token gefragt.',
  state: 'Speicher und Zustand',
  groups: {
    hearing: 'Hören',
    writing: 'Schreiben',
    llm: 'Sprachmodell',
    keeping: 'Aufbewahren und entfernen',
    clients: 'Programme, die aufnehmen',
    server: 'Dieser Server',
  },
  groupHelp: {
    hearing: '',
    writing: 'Was aus dem Gehörten wird.',
    llm: 'Freiwillig: ein Server von Ihnen oder einer, dem Sie trauen, der Texte glättet. Ohne ihn tun es Regeln.',
    keeping: '',
    clients: 'Der Server bewahrt sie nur auf; Programme neben ihm richten sich danach.',
    server: '',
  },
  fields: {
    stt_model: { label: 'Modell', help: 'Was hört, wenn niemand ein anderes nennt.' },
    language: { label: 'Sprache', help: 'Die gesprochen wird, wenn niemand sagt, welche.' },
    languages: {
      label: 'Sprachen zur Auswahl',
      help: 'Wird die Sprache erkannt, dann ist es eine von diesen.',
    },
    initial_prompt: {
      label: 'Text als Vorbild',
      help: 'Namen und Schreibweise, nach denen jede Aufnahme gehört wird, noch vor dem Wörterbuch.',
    },
    vad_enabled: {
      label: 'Nur hören, wo gesprochen wird',
      help: 'Aus: auch die Stille wird gehört, was länger dauert und zu Wörtern werden kann.',
    },
    no_speech_threshold: {
      label: 'Schwelle der Stille',
      help: 'Von 0 bis 1: Was das Modell mit größerer Wahrscheinlichkeit für Stille hält, entfällt.',
    },
    apply_dictionary: { label: 'Wörterbuch anwenden', help: '' },
    auto_refine: {
      label: 'Neue Aufnahmen bereinigen',
      help: 'Der Text, wie er gehört wurde, bleibt ebenfalls erhalten.',
    },
    smart_cleanup: {
      label: 'Füllwörter und Satzzeichen',
      help: 'Lässt „äh“ und Stottern weg, setzt Punkte und Großbuchstaben.',
    },
    self_correction: { label: 'Versprecher', help: 'Lässt weg, was zurückgenommen wurde.' },
    preserve_technical: {
      label: 'Namen aus Programmen',
      help: 'Behält Bezeichner und schreibt gesprochene Zeichen als Zeichen.',
    },
    default_writing_style_id: { label: 'Üblicher Schreibstil', help: 'Wo kein anderer passt.' },
    llm_base_url: {
      label: 'Adresse',
      help: 'Eines Servers, der wie der von OpenAI spricht, bis einschließlich /v1. Texte werden dorthin gesendet.',
    },
    llm_model: { label: 'Modell', help: 'Wie es dort heißt.' },
    llm_api_key_env: {
      label: 'Variable mit dem Schlüssel',
      help: 'Der Name einer Umgebungsvariablen dieses Servers, der mit DICTATION_ beginnt; nie der Schlüssel selbst.',
    },
    refine_timeout_ms: {
      label: 'Zeit für einen Text in Millisekunden',
      help: 'Danach gilt der Text der Regeln.',
    },
    trash_days: { label: 'Tage im Papierkorb', help: 'Dann ist es endgültig weg.' },
    retention_days: {
      label: 'Tage, die Aufnahmen bleiben',
      help: 'Ältere werden entfernt, außer denen mit Stern.',
    },
    audio_retention_days: { label: 'Tage, die der Ton bleibt', help: 'Der Text bleibt.' },
    max_captures: {
      label: 'Aufnahmen höchstens',
      help: 'Die ältesten darüber werden entfernt, außer denen mit Stern.',
    },
    record_app_context: {
      label: 'Merken, wo hinein gesprochen wurde',
      help: 'Anwendung, Seite und Fenster, die ein Programm nennt.',
    },
    allow_auto_paste: { label: 'Den Text von selbst einfügen', help: '' },
    hotkey_enabled: { label: 'Auf die Tasten unten hören', help: '' },
    chord_push_to_talk_keys: {
      label: 'Tasten, die beim Sprechen gehalten werden',
      help: 'Eine bis sechs, mit Namen: ControlRight ShiftRight.',
    },
    chord_toggle_to_talk_keys: {
      label: 'Tasten, die beginnen und beenden',
      help: 'Eine bis sechs, mit Namen: ControlRight ShiftRight Space.',
    },
    default_playback_voice_id: {
      label: 'Stimme',
      help: 'Für Programme, die vorlesen; dieser Server tut es nicht.',
    },
    typing_wpm: {
      label: 'Wörter, die Sie in der Minute tippen',
      help: 'Daran wird die gesparte Zeit gemessen.',
    },
    model_idle_unload_seconds: {
      label: 'Sekunden, bis Speicher frei wird',
      help: 'Nach so langer Ruhe verlässt das Modell den Speicher.',
    },
    model_base_url: {
      label: 'Woher Modelle kommen',
      help: 'Eine Adresse anstelle der von Hugging Face.',
    },
    webhook_url: { label: 'Webhook', help: 'Erfährt von jeder Aufnahme, die fertig ist.' },
  },
  health: {
    state: 'Zustand',
    healthy: 'Alles in Ordnung',
    degraded: 'Etwas hängt',
    version: 'Version',
    uptime: 'Läuft seit',
    disk: 'Frei auf der Platte',
    diskOf: '{free} von {total}',
    database: 'Datenbank',
    databases: { embedded: 'eingebaut', external: 'ein PostgreSQL-Server' },
    rebuilding: 'wird aus den Dateien neu aufgebaut',
    engine: 'Erkenner',
    engineOf: '{name}, {threads} Threads, {simd}',
    model: 'Modell im Speicher',
    queue: 'Warteschlange',
    queueOf: '{active} in Arbeit, {waiting} wartend',
    waits: 'die älteste seit {time}',
    access: 'Andere Benutzer dieses Rechners',
    accesses: { refused: 'werden abgewiesen', need_token: 'brauchen das Token', allowed: 'dürfen herein' },
    token: 'Token',
    tokens: { yes: 'wird verlangt', no: 'wird nicht verlangt' },
    folders: 'Ordner',
    writable: 'ist beschreibbar',
    unknown: 'nicht bekannt',
    refresh: 'Noch einmal nachsehen',
  },
}
