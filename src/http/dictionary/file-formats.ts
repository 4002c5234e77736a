// The import and export formats of the dictionary.

import { readCsv, writeCsv } from '../../text/dictionary/csv-file.ts'
import type { DictionaryFormat, ReadOptions, ReadRows } from '../../text/dictionary/file-row.ts'
import { readDictionaryJson, writeJson } from '../../text/dictionary/json-file.ts'
import { readPlain, writePlain } from '../../text/dictionary/plain-file.ts'

export const FILE_FORMATS: Record<
  DictionaryFormat,
  { mediaType: string; read: (text: string, options: ReadOptions) => ReadRows; write: typeof writeCsv }
> = {
  json: { mediaType: 'application/json', read: readDictionaryJson, write: writeJson },
  csv: { mediaType: 'text/csv', read: readCsv, write: writeCsv },
  txt: { mediaType: 'text/plain', read: readPlain, write: writePlain },
}

export const FILE_EXAMPLES: Record<DictionaryFormat, string> = {
  txt: 'Kubernetes | cooper netties\nbtw => by the way ;; language=en\n',
  csv: 'type,word,replacement,aliases\r\nreplacement,btw,by the way,bee tee double you | b t w\r\n',
  json: '{"entries": [{"type": "term", "word": "Kubernetes"}]}',
}
