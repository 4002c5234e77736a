// POST /dictionary/import: entries from a file.
// What a line of a file means is src/text/dictionary; taking entries in is src/writing.

import { type Static, Type } from '@sinclair/typebox'
import { wireName } from '../../lib/entity.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { oneOf } from '../../lib/schema.ts'
import { inSlices, type Sliced } from '../../lib/slices.ts'
import { DICTIONARY_LIMITS } from '../../text/dictionary/entry.ts'
import { DICTIONARY_FORMATS, type DictionaryFormat, type FileRow } from '../../text/dictionary/file-row.ts'
import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { IMPORT_MODES, type ImportItem } from '../../writing/dictionary-import.ts'
import { createChecker } from '../contract/input.ts'
import { type Fault, invalidRequest, type Problem, problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { NO_MOMENT, parseMoment } from '../fields/moment.ts'
import { FILE_EXAMPLES, FILE_FORMATS } from './file-formats.ts'
import { entryContent, ImportedEntrySchema, problemOfEntry } from './schema.ts'

const MAX_IMPORT_BYTES = 16 * 1024 * 1024

/** More than anybody reads. */
const MAX_ERRORS = 1000

const ImportOutcomeSchema = strictObject(
  {
    imported: Type.Integer({ minimum: 0, description: 'new entries' }),
    updated: Type.Integer({ minimum: 0, description: 'entries that are different now' }),
    skipped: Type.Integer({
      minimum: 0,
      description: 'were there already just so, or are in the file once more further down',
    }),
    errors: Type.Array(
      strictObject({
        line: Type.Integer({ minimum: 1, description: 'of the file; in JSON the place in the list' }),
        field: Type.String({ description: 'what is wrong; empty for the whole entry' }),
        message: Type.String(),
      }),
      { description: `what was left out, and why; at most ${MAX_ERRORS}` },
    ),
  },
  { $id: 'DictionaryImport' },
)

type ImportError = Static<typeof ImportOutcomeSchema>['errors'][number]

export const importDictionaryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'POST',
      path: '/dictionary/import',
      operationId: 'importDictionary',
      summary: 'Import entries',
      description:
        'All of it or nothing. `merge` adds and changes entries; lines that are wrong are left out and told in `errors`. `replace` makes the file the whole dictionary; with a line that is wrong it is refused and changes nothing. An entry is known by its word, without case, and its language; what it does not say becomes as in a new entry. Columns and keys that are not known are passed over. In CSV a text that a spreadsheet would take for a formula has an apostrophe before it, which is taken away. ' +
        `A file with more than ${DICTIONARY_LIMITS.entries} entries is refused before it is read.`,
      tag: 'dictionary',
      query: strictObject({
        mode: Type.Optional(oneOf(IMPORT_MODES, { default: 'merge' })),
        format: Type.Optional(
          oneOf(DICTIONARY_FORMATS, { description: 'of the body, where its type does not say so' }),
        ),
      }),
      body: {
        kind: 'text',
        forms: {
          'text/plain': {
            description: 'an entry on each line: `word | alias => replacement ;; key=value`',
            example: FILE_EXAMPLES.txt,
          },
          'text/csv': {
            description: 'columns as in the export; at least `word`',
            example: FILE_EXAMPLES.csv,
          },
          'application/json': {
            description: 'JSON: `{"entries": […]}` or a bare list',
            example: FILE_EXAMPLES.json,
          },
        },
        maxBytes: MAX_IMPORT_BYTES,
      },
      responses: {
        200: {
          description: 'What became of the file',
          content: {
            'application/json': {
              schema: ImportOutcomeSchema,
              example: {
                imported: 2,
                updated: 0,
                skipped: 1,
                errors: [{ line: 4, field: 'word', message: 'must not be empty' }],
              },
            },
          },
        },
      },
      problems: ['malformed_json', 'disk_full', 'database_unavailable'],
    },
    async (request, { query, body }) => {
      const { mode = 'merge' } = query
      const format = query.format ?? formatOf(request)
      const rows = await FILE_FORMATS[format].read(body)
      if (!rows.ok) return problemResponse(unreadable(format, rows.failure))
      const { items, errors } = await inSlices(itemsIn(rows.value))
      if (mode === 'replace' && errors.length > 0)
        return problemResponse(invalidRequest(errors.slice(0, 50).map(faultOf)))
      const outcome = await dictionary.import(items, mode)
      if (!outcome.ok) return problemResponse(problemOfEntry(outcome.failure))
      const { faults, ...counts } = outcome.value
      const all = [...errors, ...faults.map((fault) => ({ ...fault, field: wireName(fault.field) }))]
      const told = all.sort((one, other) => one.line - other.line).slice(0, MAX_ERRORS)
      return Response.json({ ...counts, errors: told })
    },
  )

function formatOf(request: Request): DictionaryFormat {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  return DICTIONARY_FORMATS.find((format) => FILE_FORMATS[format].mediaType === type) ?? 'txt'
}

const unreadable = (format: DictionaryFormat, message: string): Problem =>
  format === 'json' && message === 'is not valid JSON'
    ? { code: 'malformed_json', detail: 'The body is not valid JSON.' }
    : invalidRequest([{ in: 'body', path: '', message }])

const faultOf = ({ line, field, message }: ImportError): Fault => ({
  in: 'body',
  path: '',
  message: `has a fault in line ${line}: ${field} ${message}`,
})

const checkImported = createChecker(ImportedEntrySchema, 'body')

function* itemsIn(rows: readonly FileRow[]): Sliced<{ items: ImportItem[]; errors: ImportError[] }> {
  const items: ImportItem[] = []
  const errors: ImportError[] = []
  for (const { line, fields } of rows) {
    const item = itemOf(line, fields)
    if (item.ok) items.push(item.value)
    else if (errors.length < MAX_ERRORS) errors.push(...item.failure)
    yield
  }
  return { items, errors }
}

function itemOf(line: number, fields: Record<string, unknown>): Result<ImportItem, ImportError[]> {
  const checked = checkImported(fields)
  if (!checked.ok)
    return fail(checked.failure.map(({ path, message }) => ({ line, field: path.slice(1), message })))
  const { usage_count, last_used_at, created_at, source } = checked.value
  const [lastUsedAt, createdAt] = [last_used_at, created_at].map((text) => text && parseMoment(text))
  if (lastUsedAt === null && last_used_at !== null)
    return fail([{ line, field: 'last_used_at', message: NO_MOMENT }])
  if (createdAt === null) return fail([{ line, field: 'created_at', message: NO_MOMENT }])
  return succeed({
    ...entryContent(checked.value),
    line,
    ...(source && { source }),
    ...(usage_count !== undefined && { usageCount: usage_count }),
    ...(lastUsedAt && { lastUsedAt }),
    ...(createdAt && { createdAt }),
  })
}
