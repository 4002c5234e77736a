// Database failures that callers must distinguish from bugs. db/ recognises them by the driver's error codes.

export class DatabaseUnavailableError extends Error {
  override name = 'DatabaseUnavailableError'

  constructor(reason: string) {
    super(`the database does not answer: ${reason}`)
  }
}

/** The database is unavailable until it is rebuilt from the files. */
export class DatabaseDamagedError extends DatabaseUnavailableError {
  override name = 'DatabaseDamagedError'

  constructor(reason: string) {
    super(`it is damaged: ${reason}`)
  }
}

/**
 * The disk failed a write or a sync, so the latest commits may be missing. The server reopens the database with what
 * the disk has.
 */
export class DatabaseDiskError extends DatabaseUnavailableError {
  override name = 'DatabaseDiskError'
  /** without the words of the message */
  readonly reason: string

  constructor(reason: string) {
    super(`the disk failed: ${reason}`)
    this.reason = reason
  }
}
