// A kind of rows in the library, as its store declares it: dictionary, writing styles, saved commands.
// Holds no behaviour.

import type { TObject } from '@sinclair/typebox'
import type { LibraryTable, TaughtRow } from '../../db/library.ts'

export type LibraryPart<Row extends TaughtRow, Stored extends TaughtRow> = {
  /** its key in library.json */
  key: 'dictionary' | 'writingStyles' | 'commands'
  /** the file in which versions before library.json stored it */
  earlierFile: string
  /** of a row in a file */
  schema: TObject
  table: LibraryTable<Stored>
  /** adds what follows from the row, such as its folded name */
  toStored(row: Row): Stored
  fromStored(stored: Stored): Row
  /** Puts rows in order that a file held, which a user may have edited: no id and no name twice. */
  settle(rows: readonly Row[], now: Date): Row[]
}

/** A part whose rows only the part itself knows. */
// biome-ignore lint/suspicious/noExplicitAny: a list of parts holds a different kind of row in each
export type AnyLibraryPart = LibraryPart<any, any>

/** The row with the larger of two counts. */
export const withUses = <Row extends TaughtRow>(row: Row, counted: TaughtRow | undefined): Row =>
  counted === undefined || counted.usageCount <= row.usageCount
    ? row
    : { ...row, usageCount: counted.usageCount, lastUsedAt: counted.lastUsedAt }
