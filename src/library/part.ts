// One kind of library rows, as its store declares it: dictionary, writing styles, saved commands.

import type { TObject } from '@sinclair/typebox'
import type { LibraryTable, TaughtRow } from '../../db/library.ts'

export type LibraryPart<Row extends TaughtRow, Stored extends TaughtRow> = {
  /** its key in library.json */
  key: 'dictionary' | 'writingStyles' | 'commands'
  /** the file in which versions before library.json stored it */
  earlierFile: string
  /** schema of a row in a file */
  schema: TObject
  table: LibraryTable<Stored>
  /** adds derived columns, such as the folded name */
  toStored(row: Row): Stored
  fromStored(stored: Stored): Row
  /** Repairs rows from a file that a user may have edited: no duplicate ids or names. */
  settle(rows: readonly Row[], now: Date): Row[]
}

/** A part whose row type only the part itself knows. */
// biome-ignore lint/suspicious/noExplicitAny: a list of parts holds a different kind of row in each
export type AnyLibraryPart = LibraryPart<any, any>

/** The row with the larger of two counts. */
export const withUses = <Row extends TaughtRow>(row: Row, counted: TaughtRow | undefined): Row =>
  counted === undefined || counted.usageCount <= row.usageCount
    ? row
    : { ...row, usageCount: counted.usageCount, lastUsedAt: counted.lastUsedAt }
