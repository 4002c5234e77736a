// The one failure of a database that everybody above it must tell from a bug: it does not answer just now.
// Recognising it by its driver's codes is db/errors.ts; nothing here knows a database.

export class DatabaseAwayError extends Error {
  override name = 'DatabaseAwayError'

  constructor(reason: string) {
    super(`the database does not answer: ${reason}`)
  }
}
