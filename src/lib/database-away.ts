// The failures of a database that everybody above it must tell from a bug: it does not answer just now, or not before it is
// made anew. Recognising them by a driver's codes is db/; nothing here knows a database.

export class DatabaseAwayError extends Error {
  override name = 'DatabaseAwayError'

  constructor(reason: string) {
    super(`the database does not answer: ${reason}`)
  }
}

/** It is away until it is made anew from the files. */
export class DatabaseDamagedError extends DatabaseAwayError {
  override name = 'DatabaseDamagedError'

  constructor(reason: string) {
    super(`it is damaged: ${reason}`)
  }
}

/** The disk failed a write or a sync, and may lack what was committed last. The database is reopened from what it holds. */
export class DatabaseDiskError extends DatabaseAwayError {
  override name = 'DatabaseDiskError'

  constructor(reason: string) {
    super(`the disk failed: ${reason}`)
  }
}
