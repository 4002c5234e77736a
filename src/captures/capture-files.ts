// Paths of a capture's files. No client text ever becomes part of a path.

import { join } from 'node:path'
import type { AudioKind } from '../audio/audio-file.ts'
import { sniffFile } from '../audio/sniff-file.ts'
import { timeOfId } from '../lib/uuid.ts'

export const CAPTURES_FOLDER = 'captures'
export const RECORD_EXTENSION = '.json'
/** Of the waveform that waveform.ts stores beside the audio. */
export const PEAKS_EXTENSION = '.peaks'

/** The month in which the id was created; it names the folder of the capture's files. */
const monthOf = (id: string): string => timeOfId(id).toISOString().slice(0, 7)

/** Relative to the data folder, with forward slashes, as stored in the database. */
export const audioPathOf = (id: string, extension: string): string =>
  `${CAPTURES_FOLDER}/${monthOf(id)}/${id}.${extension}`

/** Absolute. */
export const folderOf = (dataFolder: string, id: string): string =>
  join(dataFolder, CAPTURES_FOLDER, monthOf(id))

/** Absolute. */
export const recordPathOf = (dataFolder: string, id: string): string =>
  join(folderOf(dataFolder, id), `${id}${RECORD_EXTENSION}`)

/** Absolute. */
export const peaksPathOf = (dataFolder: string, id: string): string =>
  join(folderOf(dataFolder, id), `${id}${PEAKS_EXTENSION}`)

/** Absolute. Earlier versions stored the segments of a long capture here. */
export const segmentsPathOf = (dataFolder: string, id: string, slot: 0 | 1): string =>
  join(folderOf(dataFolder, id), `${id}.segments.${slot}`)

/** Absolute. An unreadable record, moved aside. */
export const unreadablePathOf = (dataFolder: string, id: string): string =>
  `${recordPathOf(dataFolder, id)}.unreadable`

/** Absolute. The segments beside that record. */
export const unreadableSegmentsPathOf = (dataFolder: string, id: string, slot: 0 | 1): string =>
  `${segmentsPathOf(dataFolder, id, slot)}.unreadable`

/** Whether a stored path is one that the server made for this capture; a record may have been edited by hand. */
export const isAudioPathOf = (id: string, path: string): boolean =>
  path.startsWith(`${CAPTURES_FOLDER}/${monthOf(id)}/${id}.`) && /\.[a-z0-9]{1,8}$/.test(path)

/** The format of a file by its first bytes; null if unknown. */
export const audioKindOf = (path: string): AudioKind | null => sniffFile(path)?.kind ?? null
