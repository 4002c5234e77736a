// POST /dictionary/import: entries from a file.
// What a line of a file means is src/text/dictionary; taking entries in is src/writing.

import { type Static, Type } from '@sinclair/typebox'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { oneOf } from '../../lib/schema.ts'
import { wireName } from '../../lib/schema-mapping.ts'
import { firstCharacters } from '../../lib/shorten.ts'
import { inSlices, type Sliced } from '../../lib/time-slice.ts'
import { DICTIONARY_LIMITS } from '../../text/dictionary/entry.ts'
import {
  DICTIONARY_FORMATS,
  type DictionaryFormat,
  type FileRow,
  type ReadFailure,
} from '../../text/dictionary/file-row.ts'
import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { IMPORT_MODES, type ImportChange, type ImportItem } from '../../writing/dictionary-import.ts'
import { createChecker } from '../contract/input.ts'
import { type Fault, invalidRequest, type Problem, problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { flag, strictObject } from '../contract/schema.ts'
import { NO_MOMENT, parseMoment } from '../fields/moment.ts'
import { FILE_EXAMPLES, FILE_FORMATS } from './file-formats.ts'
import { DictionaryEntrySchema, entryContent, ImportedEntrySchema, problemOfEntry } from './schema.ts'

const MAX_IMPORT_BYTES = 16 * 1024 * 1024

/** More than anybody reads. */
const MAX_ERRORS = 1000
const MAX_CHANGES = 1000

const { type, word, replacement, aliases, language } = DictionaryEntrySchema.properties
const previewed = { type, word, replacement, aliases, language }

const ImportOutcomeSchema = strictObject(
  {
    imported: Type.Integer({ minimum: 0, description: 'new entries' }),
    updated: Type.Integer({ minimum: 0, description: 'entries that are different now' }),
    skipped: Type.Integer({
      minimum: 0,
      description: 'were there already just so, or are in the file once more further down',
    }),
    dry_run: Type.Optional(Type.Literal(true, { description: 'of a dry run: nothing was changed' })),
    removed: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'of a dry run: entries that are not in the file, with `mode=replace`',
      }),
    ),
    changes: Type.Optional(
      Type.Array(
        strictObject({
          change: oneOf(['added', 'updated'] as const),
          entry: strictObject(previewed, { description: 'as it would be' }),
        }),
        { description: `of a dry run: what would change; at most ${MAX_CHANGES}` },
      ),
    ),
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
        'The import is atomic. `merge` adds and updates entries; invalid lines are skipped and reported in `errors`. `replace` makes the file the whole dictionary and is rejected if any line is invalid. An entry is known by its word, without case, and its language; what it does not say becomes as in a new entry. Columns and keys that are not known are passed over. The first row of a CSV file is taken for names of columns where it has such names, of this server or of another program (`from,to`, `original,replacement`, `find,replace`, …); where that is not clear the file is refused until `header` says it. In a file an entry of type `replacement` with an empty replacement is one to `omit`; without a type it is a term. With `dry_run=true` nothing changes, and `changes` lists what would. In CSV a text that a spreadsheet would take for a formula has an apostrophe before it, which is taken away. ' +
        `A file with more than ${DICTIONARY_LIMITS.entries} entries is refused before it is read.`,
      tag: 'dictionary',
      query: strictObject({
        mode: Type.Optional(oneOf(IMPORT_MODES, { default: 'merge' })),
        dry_run: Type.Optional(
          flag({ description: 'only say what the import would change', default: false }),
        ),
        header: Type.Optional(
          flag({
            description: 'of CSV: whether its first row has the names of the columns; by default found out',
          }),
        ),
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
            description: 'columns as in the export, at least `word`; or of words and their replacements',
            example: FILE_EXAMPLES.csv,
          },
          'text/tab-separated-values': {
            description: 'as CSV, with tabs',
            example: FILE_EXAMPLES.csv.replaceAll(',', '\t'),
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
      const { mode = 'merge', dry_run: isDryRun = false, header } = query
      const format = query.format ?? formatOf(request)
      const rows = await FILE_FORMATS[format].read(body, { header })
      if (!rows.ok) return problemResponse(unreadable(format, rows.failure))
      const { items, errors } = await inSlices(itemsIn(rows.value))
      if (mode === 'replace' && errors.length > 0)
        return problemResponse(invalidRequest(errors.slice(0, 50).map(faultOf)))
      const outcome = await dictionary.import(items, mode, { isDryRun })
      if (!outcome.ok) return problemResponse(problemOfEntry(outcome.failure))
      const { faults, changes, removed, ...counts } = outcome.value
      const all = [...errors, ...faults.map((fault) => ({ ...fault, field: wireName(fault.field) }))]
      const told = all.sort((one, other) => one.line - other.line).slice(0, MAX_ERRORS)
      const preview = { dry_run: true, removed, changes: changes.slice(0, MAX_CHANGES).map(previewOf) }
      return Response.json({ ...counts, ...(isDryRun && preview), errors: told })
    },
  )

function previewOf({ change, entry }: ImportChange) {
  const { type, word, replacement, aliases, language } = entry
  return { change, entry: { type, word, replacement, aliases, language } }
}

function formatOf(request: Request): DictionaryFormat {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === 'text/tab-separated-values') return 'csv'
  return DICTIONARY_FORMATS.find((format) => FILE_FORMATS[format].mediaType === type) ?? 'txt'
}

function unreadable(format: DictionaryFormat, failure: ReadFailure): Problem {
  if (typeof failure !== 'string') return invalidRequest([unclearHeader(failure.unclearHeader)])
  return format === 'json' && failure === 'is not valid JSON'
    ? { code: 'malformed_json', detail: 'The body is not valid JSON.' }
    : invalidRequest([{ in: 'body', path: '', message: failure }])
}

function unclearHeader(cells: readonly string[]): Fault {
  const row = cells.slice(0, 4).map((cell) => `"${firstCharacters(cell, 40)}"`)
  return {
    in: 'query',
    path: '/header',
    message: `is needed: the first row (${row.join(', ')}) may be names of columns or an entry. Send header=true if it names the columns, header=false if it is an entry`,
  }
}

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
