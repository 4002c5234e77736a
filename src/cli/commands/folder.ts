import { defineCommand } from '../command.ts'

const STOPPED = 'needs the server to be stopped'

export const VERIFY = defineCommand({
  name: 'verify',
  needs: 'folder',
  summary: 'Compare the files of the data folder with its database, and the audio with its hashes',
  details: `Stop the server first. Repairs nothing: the next start of the server updates the database from the files of captures, its next change rewrites library.json, and "dictation rebuild" rebuilds the database from the files.
Exit codes: 0 no differences, 1 differences, 2 the data could not be read.`,
  npmScript: 'verify',
  examples: [
    { command: 'dictation verify', meaning: 'check the data folder in DICTATION_DATA_DIR', notRun: STOPPED },
  ],
  load: async () => (await import('../folder/verify.ts')).verifyFolder,
})

export const REBUILD = defineCommand({
  name: 'rebuild',
  needs: 'folder',
  summary: 'Rebuild the database of the data folder from its files',
  details: `Stop the server first. The old database is kept under another name. Dictionary, writing styles, saved commands and settings come from library.json. Data that only the database has is lost: batches, the command history, pending webhook deliveries, finished jobs, and changes of the last second before a crash. After a crash, start and stop the server once before: that writes the copies.
Exit codes: 0 rebuilt, 2 failed (nothing was changed).`,
  npmScript: 'rebuild',
  examples: [{ command: 'dictation rebuild', meaning: 'rebuild it in DICTATION_DATA_DIR', notRun: STOPPED }],
  load: async () => (await import('../folder/rebuild.ts')).rebuildFolder,
})
