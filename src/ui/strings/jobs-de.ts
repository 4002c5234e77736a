// The words of the jobs view, in German.
// In English they are jobs-en.ts's.

import type { jobsEn } from './jobs-en.ts'

export const jobsDe: typeof jobsEn = {
  idle: 'Es wird an nichts gearbeitet, und nichts wartet.',
  active: 'In Arbeit',
  waiting: 'Wartend',
  moreWait: { one: 'und {n} weitere', other: 'und {n} weitere' },
  failed: 'Zuletzt gescheitert',
  kinds: { transcribe: 'Verschriften', retranscribe: 'Noch einmal verschriften', refine: 'Bereinigen' },
  attempts: '{n}. Versuch',
  cancel: 'Abbrechen',
  canceled: 'Der Auftrag wurde abgebrochen; Aufnahme und früherer Text bleiben.',
  downloads: 'Downloads',
  toModels: 'Zu den Modellen',
  batches: 'Viele auf einmal',
  batchKinds: { retranscribe: 'Noch einmal verschriften', delete: 'Löschen' },
  batchStates: { running: 'Läuft', completed: 'Fertig', canceled: 'Abgebrochen' },
  batchCanceled: 'Der Rest wurde abgebrochen; was getan ist, bleibt getan.',
  cancelRest: 'Rest abbrechen',
  completed: '{n} von {total} getan',
  failedCount: '{n} gescheitert',
  skipped: '{n} brauchten nichts',
  canceledCount: '{n} abgebrochen',
  left: 'noch {time}',
  errors: 'Was gescheitert ist',
}
