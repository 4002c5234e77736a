// A process that works on a recording until it is killed; prints the ids of capture and job when the work has started.
// Arguments: the data folder, and optionally the address of the database.

import { openDatabase } from '../../db/open.ts'
import { silentLog } from '../../src/lib/log.ts'
import { capture, openArchive } from '../support/archive.ts'

const [dataFolder = '', databaseUrl = ''] = process.argv.slice(2)
const begun = Promise.withResolvers<void>()
const archive = await openArchive({
  folder: {
    dataFolder,
    databaseUrl: databaseUrl || null,
    async open() {
      const opened = await openDatabase({ dataFolder, databaseUrl: databaseUrl || null, log: silentLog })
      if (!opened.ok) throw new Error(opened.failure.message)
      return opened.value
    },
    async [Symbol.asyncDispose]() {},
  },
  transcribe: async () => {
    begun.resolve()
    return new Promise(() => {})
  },
})
const made = await capture(archive)
await begun.promise
console.log(JSON.stringify({ captureId: made.capture.id, jobId: made.jobId }))
