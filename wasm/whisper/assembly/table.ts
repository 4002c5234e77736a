// Byte offsets in an entry of the sequence table; ../interface.ts explains the words.

import { TABLE_ENTRY, TABLE_ENTRY_WORDS } from '../interface'

/** Bytes from one entry to the next. */
export const ENTRY: usize = <usize>TABLE_ENTRY_WORDS * 4

export const TOKEN: usize = <usize>TABLE_ENTRY.token * 4
export const POSITION: usize = <usize>TABLE_ENTRY.position * 4
export const RECORDS: usize = <usize>TABLE_ENTRY.records * 4
export const RECORD_COUNT: usize = <usize>TABLE_ENTRY.recordCount * 4
export const ALIGNMENT: usize = <usize>TABLE_ENTRY.alignment * 4
