// Identifiers: UUID version 7, which sort by creation time. They are not secrets.

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Sorts before every id. */
export const NO_ID = '00000000-0000-0000-0000-000000000000'

/** A new id whose first 48 bits are `now` in milliseconds. */
export const newId = (now: Date): string => Bun.randomUUIDv7('hex', now)

/** Whether a text is an id in the form that newId creates. No other text may become part of a path. */
export const isId = (text: string): boolean => SHAPE.test(text)

/** The creation time of an id. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
