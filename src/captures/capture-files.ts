// Where the files of a capture lie: its audio, and beside it its record.
// What is in the record is record.ts; no client's text ever becomes part of a path.

import { join } from 'node:path'
import type { AudioKind } from '../audio/audio-file.ts'
import { sniffFile } from '../audio/sniff-file.ts'
import { timeOfId } from '../lib/uuid.ts'

export const CAPTURES_FOLDER = 'captures'
export const RECORD_EXTENSION = '.json'
/** Of the outline of the audio, which waveform.ts keeps beside it. */
export const PEAKS_EXTENSION = '.peaks'

/** The month an id was made in, which is the folder its files are in. */
const monthOf = (id: string): string => timeOfId(id).toISOString().slice(0, 7)

/** Relative to the data folder, with forward slashes, as it is stored. */
export const audioPathOf = (id: string, extension: string): string =>
  `${CAPTURES_FOLDER}/${monthOf(id)}/${id}.${extension}`

/** On this disk. */
export const folderOf = (dataFolder: string, id: string): string =>
  join(dataFolder, CAPTURES_FOLDER, monthOf(id))

/** On this disk. */
export const recordPathOf = (dataFolder: string, id: string): string =>
  join(folderOf(dataFolder, id), `${id}${RECORD_EXTENSION}`)

/** On this disk. */
export const peaksPathOf = (dataFolder: string, id: string): string =>
  join(folderOf(dataFolder, id), `${id}${PEAKS_EXTENSION}`)

/** On this disk: where earlier versions of this program wrote the segments of a long capture. */
export const segmentsPathOf = (dataFolder: string, id: string, slot: 0 | 1): string =>
  join(folderOf(dataFolder, id), `${id}.segments.${slot}`)

/** On this disk: a record that could not be read, moved aside. */
export const unreadablePathOf = (dataFolder: string, id: string): string =>
  `${recordPathOf(dataFolder, id)}.unreadable`

/** On this disk: the segments beside it. */
export const unreadableSegmentsPathOf = (dataFolder: string, id: string, slot: 0 | 1): string =>
  `${segmentsPathOf(dataFolder, id, slot)}.unreadable`

/** Whether a stored path is one that we made for this capture; a record could have been edited by hand. */
export const isAudioPathOf = (id: string, path: string): boolean =>
  path.startsWith(`${CAPTURES_FOLDER}/${monthOf(id)}/${id}.`) && /\.[a-z0-9]{1,8}$/.test(path)

/** What a file is, by its first bytes; null where nobody knows. */
export const audioKindOf = (path: string): AudioKind | null => sniffFile(path)?.kind ?? null
